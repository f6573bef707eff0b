// Block-wide scan by halves in shared memory (Sklansky, 1960): the upper half of a group of threads takes the total of
// the lower half. All of them read one address.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"

struct BlockScanStorage {
  Local value[threads_per_block];
};

// Exclusive scan of one value per thread over the first `active` threads of the block. `exclusive` becomes the thread's
// exclusive prefix (untouched in thread 0, which has none). Returns the total to all threads.
template <bool whole>
__device__ __forceinline__ Local block_scan(Local value, int active, Local& exclusive, BlockScanStorage& storage) {
  const int thread = thread_index();
  const bool is_active = whole || thread < active;
  Local inclusive = value;
  if (is_active) storage.value[thread] = inclusive;
#pragma unroll 1
  for (int half = 1; half < threads_per_block; half *= 2) {
    block_barrier();
    if (is_active && (thread & half) != 0) {
      storage.value[thread] = inclusive = combine(storage.value[(thread & -half) - 1], inclusive);
    }
  }
  block_barrier();
  if (is_active && thread > 0) exclusive = storage.value[thread - 1];
  return storage.value[(whole ? threads_per_block : active) - 1];
}
