// The last steps of a tree in shared memory, by one warp.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"

// Folds the first 64 values, or as many as the block has, by the block's first warp. The slides ("Reduction #5") have
// neither a condition nor a barrier: all lanes added value[lane + 32], value[lane + 16] and so on, through a volatile
// pointer, because the lanes of a warp ran in lockstep. From sm_70 on each lane has a program counter of its own. A
// lane could then read a value before its neighbour has written it, or after the neighbour, whose own result nobody
// needs, has replaced it: volatile orders the accesses of one lane, not those of two. So only the lanes whose results
// are used write, and a barrier of the warp, which orders memory too, separates the steps.
template <bool whole>
__device__ __forceinline__ void fold_last_warp(int active, Accumulator* values) {
  const int lane = thread_index();
#pragma unroll
  for (int distance = warp_size; distance > 0; distance /= 2) {
    if (2 * distance > threads_per_block) continue;
    if (lane < distance && (whole || lane + distance < active)) {
      values[lane] = combine(values[lane], values[lane + distance]);
    }
    warp_barrier();
  }
}
