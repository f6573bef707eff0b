// Stores compact results one by one.
#pragma once

#include "parameters.cuh"

template <typename T>
struct ScatterStorage {};

// Takes a result for a slot from `to` on, if there is one. Directly: it is written at once.
template <typename T>
__device__ __forceinline__ void scatter(T* to, bool has_result, u32 slot, const T& result, ScatterStorage<T>&) {
  if (has_result) to[slot] = result;
}

__device__ __forceinline__ void await_scattered() {}

// After all threads of the block have scattered theirs: writes what is not written yet of the slots [begin, end).
template <typename T>
__device__ __forceinline__ void write_scattered(T*, u32, u32, ScatterStorage<T>&) {}
