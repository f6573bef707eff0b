// Tree in shared memory, interleaved addressing with a strided index: the lowest threads do the work, so that warps do
// not diverge. Their addresses are a power of two apart: the banks conflict (Harris, 2007, "Reduction #2").
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
    const int at = 2 * distance * thread;
    if (at + distance < (whole ? threads_per_block : active)) {
      storage.value[at] = combine(storage.value[at], storage.value[at + distance]);
    }
    block_barrier();
  }
  return storage.value[0];
}
