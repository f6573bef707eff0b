// Folds of the values of all 32 lanes of a warp by one instruction, which all lanes call (PTX: redux.sync); sm_80
#pragma once

#include "target/types.cuh"

__device__ __forceinline__ u32 redux_add(u32 value) {
  u32 result;
  asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(result) : "r"(value));
  return result;
}

__device__ __forceinline__ u32 redux_min(u32 value) {
  u32 result;
  asm volatile("redux.sync.min.u32 %0, %1, 0xffffffff;" : "=r"(result) : "r"(value));
  return result;
}

__device__ __forceinline__ i32 redux_min(i32 value) {
  i32 result;
  asm volatile("redux.sync.min.s32 %0, %1, 0xffffffff;" : "=r"(result) : "r"(value));
  return result;
}

__device__ __forceinline__ u32 redux_max(u32 value) {
  u32 result;
  asm volatile("redux.sync.max.u32 %0, %1, 0xffffffff;" : "=r"(result) : "r"(value));
  return result;
}

__device__ __forceinline__ i32 redux_max(i32 value) {
  i32 result;
  asm volatile("redux.sync.max.s32 %0, %1, 0xffffffff;" : "=r"(result) : "r"(value));
  return result;
}

__device__ __forceinline__ u32 redux_and(u32 value) {
  u32 result;
  asm volatile("redux.sync.and.b32 %0, %1, 0xffffffff;" : "=r"(result) : "r"(value));
  return result;
}

__device__ __forceinline__ u32 redux_or(u32 value) {
  u32 result;
  asm volatile("redux.sync.or.b32 %0, %1, 0xffffffff;" : "=r"(result) : "r"(value));
  return result;
}

__device__ __forceinline__ u32 redux_xor(u32 value) {
  u32 result;
  asm volatile("redux.sync.xor.b32 %0, %1, 0xffffffff;" : "=r"(result) : "r"(value));
  return result;
}
