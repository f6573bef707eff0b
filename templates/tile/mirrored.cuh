// An array from its last item to its first: item i lies i items before `last`.
#pragma once

#include "parameters.cuh"

template <typename T>
struct Mirrored {
  T* last;

  __device__ __forceinline__ T& operator[](i64 i) const { return last[-i]; }

  // From item `first` on.
  __device__ __forceinline__ Mirrored operator+(u64 first) const { return {last - first}; }
};

// Of an array of n items.
template <typename T>
__device__ __forceinline__ Mirrored<T> mirrored(T* array, u64 n) {
  return {array + n - 1};
}
