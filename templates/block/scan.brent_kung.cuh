// Block-wide scan by a tree up and a tree down in shared memory (Brent and Kung, 1982): few applications of the
// operator, and few threads busy in most steps.
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
  const int place = thread + 1;
  int distance = 1;
#pragma unroll 1
  for (; distance < threads_per_block; distance *= 2) {
    block_barrier();
    if (is_active && place % (2 * distance) == 0) {
      storage.value[thread] = inclusive = combine(storage.value[thread - distance], inclusive);
    }
  }
#pragma unroll 1
  for (distance /= 4; distance > 0; distance /= 2) {
    block_barrier();
    if (is_active && place % (2 * distance) == distance && place > distance) {
      storage.value[thread] = inclusive = combine(storage.value[thread - distance], inclusive);
    }
  }
  block_barrier();
  if (is_active && thread > 0) exclusive = storage.value[thread - 1];
  return storage.value[(whole ? threads_per_block : active) - 1];
}
