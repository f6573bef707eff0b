// Tree in shared memory, sequential addressing, with the last warp unrolled: its steps need no barrier of the block
// (Harris, 2007, "Reduction #5").
#pragma once

#include "block/fold_last_warp.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"

struct BlockTreeStorage {
  Accumulator value[threads_per_block];
};

// Folds one value a thread over the first `active` threads of the block, at least one; the result is thread 0's. Pairs
// are not neighbours: the operator must commute.
template <bool whole>
__device__ __forceinline__ Accumulator block_tree(Accumulator value, int active, BlockTreeStorage& storage) {
  const int thread = thread_index();
  if (whole || thread < active) storage.value[thread] = value;
  block_barrier();
#pragma unroll 1
  for (int distance = threads_per_block / 2; distance > warp_size; distance /= 2) {
    if (thread < distance && (whole || thread + distance < active)) {
      storage.value[thread] = combine(storage.value[thread], storage.value[thread + distance]);
    }
    block_barrier();
  }
  if (thread >= warp_size) return value;
  fold_last_warp<whole>(active, storage.value);
  return storage.value[0];
}
