// Block-wide scan by raking with few lanes: each of 16 lanes of one warp scans a segment of the threads' values.
#pragma once

#include "block/padding.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "warp/scan.kogge_stone.cuh"

constexpr int raking_lanes = 16;
constexpr int lane_segment = threads_per_block / raking_lanes;

struct BlockScanStorage {
  Local value[padded(threads_per_block)];
  Local total;
};

// Exclusive scan of one value per thread over the first `active` threads of the block. `exclusive` becomes the thread's
// exclusive prefix (untouched in thread 0, which has none). Returns the total to all threads.
// Longer segments than with all lanes, and fewer of them: more applications of the operator in a row, fewer in all.
template <bool whole>
__device__ __forceinline__ Local block_scan(Local value, int active, Local& exclusive, BlockScanStorage& storage) {
  const int thread = thread_index(), lane = lane_index();
  if (whole || thread < active) storage.value[padded(thread)] = value;
  block_barrier();

  if (warp_index() == 0) {
    const int segments = whole ? raking_lanes : (active + lane_segment - 1) / lane_segment;
    const int first = lane * lane_segment, left = (whole ? threads_per_block : active) - first;
    const int count = lane >= segments ? 0 : left < lane_segment ? left : lane_segment;
    Local fold = value;
    if (count > 0) fold = storage.value[padded(first)];
    for (int i = 1; i < count; ++i) fold = combine(fold, storage.value[padded(first + i)]);
    const Local inclusive = warp_scan<false>(fold, segments);
    Local running = shuffle_up(inclusive, 1);
    for (int i = 0; i < count; ++i) {
      const Local own = storage.value[padded(first + i)];
      storage.value[padded(first + i)] = running;
      running = i == 0 && lane == 0 ? own : combine(running, own);
    }
    if (lane == segments - 1) storage.total = inclusive;
  }
  block_barrier();

  if (thread > 0 && (whole || thread < active)) exclusive = storage.value[padded(thread)];
  return storage.total;
}
