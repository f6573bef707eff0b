// Tree in shared memory, sequential addressing: the lower half of the threads that are left combine their values with
// those of the upper half. Neighbouring threads use neighbouring banks (Harris, 2007, "Reduction #3").
#pragma once

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
  for (int distance = threads_per_block / 2; distance > 0; distance /= 2) {
    if (thread < distance && (whole || thread + distance < active)) {
      storage.value[thread] = combine(storage.value[thread], storage.value[thread + distance]);
    }
    block_barrier();
  }
  return storage.value[0];
}
