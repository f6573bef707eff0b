// What came after the tree in shared memory: each warp folds its values with shuffles, and one warp folds the results.
#pragma once

#include "block/reduce.warp_reduces.cuh"
#include "parameters.cuh"

using BlockTreeStorage = BlockReduceStorage;

// Folds one value a thread over the first `active` threads of the block, at least one, in thread order; the result is
// thread 0's.
template <bool whole>
__device__ __forceinline__ Accumulator block_tree(Accumulator value, int active, BlockTreeStorage& storage) {
  return block_reduce<whole>(value, active, storage);
}
