// Folds of segments by groups of threads, and by all threads of the block.
#pragma once

#include "algorithm/hooks.reduce_segments.cuh"
#include "block/long_segments.cuh"
#include "block/values.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"
#include "thread/segment_extent.cuh"
#include "thread/share.cuh"
#include "warp/lane_groups.cuh"

// Folds a thread's share of the items from `from` on.
__device__ __forceinline__ Value fold_share(const Input* from, const Share<u64>& share) {
  Value total;
  from += share.first;
#pragma unroll unrolled_rounds
  for (u64 done = 0; done < share.count; done += items_per_thread, from += items_per_thread * share.step) {
    const int left = share.count - done < items_per_thread ? int(share.count - done) : items_per_thread;
    Input items[items_per_thread];
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if (i < left) items[i] = from[u64(i) * share.step];
    }
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if (i >= left) continue;
      total = done > 0 || i > 0 ? Value(combine(total, Value(items[i]))) : Value(items[i]);
    }
  }
  return total;
}

// Folds a segment by all threads of the block.
__device__ __forceinline__ void fold_together(const Arguments& arguments, u64 segment, const Extent& extent,
                                              const Scalars& scalars, BlockValues& storage) {
  const u64 length = extent.end - extent.begin;
  const Share<u64> share = share_of<true>(length, thread_index(), threads_per_block);
  Value total = fold_share(arguments.in + extent.begin, share);
  total = fold_values(total, share.active, storage);
  if (thread_index() == 0) finish_segment(arguments.out + segment, length > 0, total, scalars);
}

// The segment of the thread's group, of groups that take neighbouring segments from number `batch` on.
__device__ __forceinline__ u64 segment_of_group(u64 batch) { return batch + u64(thread_index() / threads_per_segment); }

// An empty one if there is no such segment.
__device__ __forceinline__ Extent extent_if_any(const Arguments& arguments, u64 segment) {
  return segment < arguments.segments ? extent_of(arguments, segment) : Extent{0, 0};
}

// Folds the segment of the thread's group, if there is such a segment and it is not long. Returns whether it is long.
__device__ __forceinline__ bool fold_by_group(const Arguments& arguments, u64 segment, const Extent& extent,
                                              const Scalars& scalars) {
  const int place = thread_index() % threads_per_segment;
  const u64 length = extent.end - extent.begin;
  const bool is_long = length > most_items_of_group;
  const Share<u64> share = share_of<true>(is_long ? 0 : length, place, threads_per_segment);
  Value total = fold_share(arguments.in + extent.begin, share);
  total = fold_lanes<lanes_of_group>(total, share.active);
  if (place == 0 && segment < arguments.segments && !is_long) {
    finish_segment(arguments.out + segment, length > 0, total, scalars);
  }
  return is_long;
}
