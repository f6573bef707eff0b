// Block-wide scan by doubling distances in shared memory, between two buffers (Hillis and Steele, 1986; GPU Gems 3,
// 2007, section 39.2.1): few steps, and as many applications of the operator as threads in nearly each.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"

struct BlockScanStorage {
  Local value[2][threads_per_block];
};

// Exclusive scan of one value per thread over the first `active` threads of the block. `exclusive` becomes the thread's
// exclusive prefix (untouched in thread 0, which has none). Returns the total to all threads.
template <bool whole>
__device__ __forceinline__ Local block_scan(Local value, int active, Local& exclusive, BlockScanStorage& storage) {
  const int thread = thread_index();
  const bool is_active = whole || thread < active;
  Local inclusive = value;
  if (is_active) storage.value[0][thread] = inclusive;
  int buffer = 0;
#pragma unroll 1
  for (int distance = 1; distance < threads_per_block; distance *= 2) {
    block_barrier();
    if (is_active && thread >= distance) inclusive = combine(storage.value[buffer][thread - distance], inclusive);
    buffer = 1 - buffer;
    if (is_active) storage.value[buffer][thread] = inclusive;
  }
  block_barrier();
  if (is_active && thread > 0) exclusive = storage.value[buffer][thread - 1];
  return storage.value[buffer][(whole ? threads_per_block : active) - 1];
}
