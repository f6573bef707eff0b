// Exchange within a warp; all 32 lanes call.
#pragma once

#include "target/host_interface.cuh"
#include "target/types.cuh"

// The value of the lane `distance` below; lanes below `distance` get their own.
template <typename T>
__device__ __forceinline__ T shuffle_up(T value, int distance) {
  bound_host->shuffle(&value, sizeof(T), HostShuffle::up, distance);
  return value;
}

// The value of the lane `distance` above; the highest lanes get their own.
template <typename T>
__device__ __forceinline__ T shuffle_down(T value, int distance) {
  bound_host->shuffle(&value, sizeof(T), HostShuffle::down, distance);
  return value;
}

// The value of lane `source`.
template <typename T>
__device__ __forceinline__ T shuffle(T value, int source) {
  bound_host->shuffle(&value, sizeof(T), HostShuffle::from, source);
  return value;
}

// Bit i is lane i's predicate.
__device__ __forceinline__ u32 warp_ballot(bool predicate) { return bound_host->ballot(predicate); }
