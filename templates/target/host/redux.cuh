// Folds of the values of all 32 lanes of a warp; all lanes call, and each gets the fold.
#pragma once

#include "target/host/threads.cuh"
#include "target/host/warp.cuh"
#include "target/types.cuh"

template <typename T, typename Fold>
__device__ __forceinline__ T fold_lanes(T value, Fold fold) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2) {
    value = fold(value, shuffle(value, lane_index() ^ distance));
  }
  return value;
}

__device__ __forceinline__ u32 redux_add(u32 value) {
  return fold_lanes(value, [](u32 a, u32 b) { return a + b; });
}

__device__ __forceinline__ u32 redux_min(u32 value) {
  return fold_lanes(value, [](u32 a, u32 b) { return b < a ? b : a; });
}

__device__ __forceinline__ i32 redux_min(i32 value) {
  return fold_lanes(value, [](i32 a, i32 b) { return b < a ? b : a; });
}

__device__ __forceinline__ u32 redux_max(u32 value) {
  return fold_lanes(value, [](u32 a, u32 b) { return a < b ? b : a; });
}

__device__ __forceinline__ i32 redux_max(i32 value) {
  return fold_lanes(value, [](i32 a, i32 b) { return a < b ? b : a; });
}

__device__ __forceinline__ u32 redux_and(u32 value) {
  return fold_lanes(value, [](u32 a, u32 b) { return a & b; });
}

__device__ __forceinline__ u32 redux_or(u32 value) {
  return fold_lanes(value, [](u32 a, u32 b) { return a | b; });
}

__device__ __forceinline__ u32 redux_xor(u32 value) {
  return fold_lanes(value, [](u32 a, u32 b) { return a ^ b; });
}
