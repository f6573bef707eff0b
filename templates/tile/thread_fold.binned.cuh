// What a thread has folded so far of its items: a sum in bins. The items of a tile have their largest magnitude found
// and their slices added up together.
#pragma once

#include "parameters.cuh"
#include "tile/load_striped.direct.cuh"

struct ThreadFold {
  Accumulator value;
};

__device__ __forceinline__ ThreadFold empty_fold() { return {Accumulator::empty()}; }

// Folds a few items.
template <int count>
__device__ __forceinline__ void fold_items(const Input (&items)[count], ThreadFold& thread_fold) {
  thread_fold.value.add(items);
}

// Folds this thread's share of a whole aligned tile.
__device__ __forceinline__ void fold_tile(const Input* from, ThreadFold& thread_fold) {
  Input items[items_per_thread];
  load_striped(from, items);
  thread_fold.value.add(items);
}
