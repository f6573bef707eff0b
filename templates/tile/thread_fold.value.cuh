// What a thread has folded so far of its items: one value, if there were any.
#pragma once

#include "algorithm/lift.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "tile/fold_striped.items.cuh"

struct ThreadFold {
  bool has_value;
  Accumulator value;
};

__device__ __forceinline__ ThreadFold empty_fold() {
  ThreadFold thread_fold;
  thread_fold.has_value = false;
  return thread_fold;
}

__device__ __forceinline__ void add_to(ThreadFold& thread_fold, Accumulator value) {
  thread_fold.value = thread_fold.has_value ? combine(thread_fold.value, value) : value;
  thread_fold.has_value = true;
}

// Folds a few items.
template <int count>
__device__ __forceinline__ void fold_items(const Input (&items)[count], ThreadFold& thread_fold) {
#pragma unroll
  for (int i = 0; i < count; ++i) add_to(thread_fold, lift(items[i]));
}

// Folds this thread's share of a whole aligned tile.
__device__ __forceinline__ void fold_tile(const Input* from, ThreadFold& thread_fold) {
  add_to(thread_fold, fold_striped(from));
}
