// Folds the values of a group of threads that is the whole block.
#pragma once

#include "block/reduce.warp_reduces.cuh"
#include "parameters.cuh"

struct GroupStorage {
  BlockReduceStorage reduce;
};

// Folds one value per thread over the first `active` threads of the block, in their order. The first
// thread gets the result.
__device__ __forceinline__ Accumulator group_reduce(Accumulator value, int active, GroupStorage& storage) {
  const Accumulator total = block_reduce<false>(value, active, storage.reduce);
  block_barrier();  // until all have read what the next row's values take the place of
  return total;
}
