// Tree in shared memory, interleaved addressing: every second thread that is left combines its value with its
// neighbour's. The threads of a warp diverge, and the remainder is slow (Harris, 2007, "Reduction #1").
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"

struct BlockTreeStorage {
  Accumulator value[threads_per_block];
};

// Folds one value a thread over the first `active` threads of the block, at least one, in thread order; the result is
// thread 0's. Pairs are neighbours: the operator need not commute.
template <bool whole>
__device__ __forceinline__ Accumulator block_tree(Accumulator value, int active, BlockTreeStorage& storage) {
  const int thread = thread_index();
  if (whole || thread < active) storage.value[thread] = value;
  block_barrier();
#pragma unroll 1
  for (int distance = 1; distance < threads_per_block; distance *= 2) {
    if (thread % (2 * distance) == 0 && (whole || thread + distance < active)) {
      storage.value[thread] = combine(storage.value[thread], storage.value[thread + distance]);
    }
    block_barrier();
  }
  return storage.value[0];
}
