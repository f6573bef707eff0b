// Whether an item is greater than the threshold.
#pragma once

#include "operator/byte_comparison.cuh"
#include "parameters.cuh"

template <typename T>
__device__ __forceinline__ bool holds(const T& item, const T& threshold) {
  return item > threshold;
}

// The same of four items of one byte each and the bytes of `thresholds`: see byte_comparison.cuh.
template <typename T>
__device__ __forceinline__ u32 holds_in_bytes(u32 items, u32 thresholds, T kind) {
  return less_in_bytes(thresholds, items, kind);
}
