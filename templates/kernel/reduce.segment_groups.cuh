// Folds of segments: a group of threads folds a segment, and no group waits for another one's. What is long for a group
// is folded by the whole block, afterwards.
#pragma once

#include "algorithm/hooks.reduce_segments.cuh"
#include "algorithm/limits.segments.cuh"
#include "block/long_segments.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "block/values.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"
#include "thread/segment_extent.cuh"
#include "thread/share.cuh"
#include "tile/prefetch_segments.cuh"
#include "warp/lane_groups.cuh"

struct SharedStorage {
  BlockValues values;
  LongSegments segments;
};

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

// Folds a thread's share of the items from `from` on.
__device__ __forceinline__ Value fold_share(const Input* from, const Share<u64>& share) {
  Value total;
  from += share.first;
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
__device__ __forceinline__ void fold_together(const Arguments& arguments, u64 segment, const Scalars& scalars,
                                              BlockValues& storage) {
  const Extent extent = extent_of(arguments, segment);
  const u64 length = extent.end - extent.begin;
  const Share<u64> share = share_of<true>(length, thread_index(), threads_per_block);
  Value total = fold_share(arguments.in + extent.begin, share);
  total = fold_values(total, share.active, storage);
  if (thread_index() == 0) finish_segment(arguments.out + segment, length > 0, total, scalars);
}

// Folds the segments of the block's groups from number `batch` on, but for long ones. Returns whether this thread's
// segment is long.
__device__ __forceinline__ bool fold_by_groups(const Arguments& arguments, u64 batch, const Scalars& scalars) {
  const u64 segment = batch + u64(thread_index() / threads_per_segment);
  const int place = thread_index() % threads_per_segment;
  Extent extent{0, 0};
  if (segment < arguments.segments) extent = extent_of(arguments, segment);
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

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  prefetch_segments(arguments);
  await_previous_kernel();
  SharedStorage& shared = block_storage<SharedStorage>();
  const Scalars scalars = read_scalars(passed);
  const auto together = [&](u64 segment) { fold_together(arguments, segment, scalars, shared.values); };
  if (threads_per_segment > warp_size) {
    for (u64 segment = block_index(); segment < arguments.segments; segment += grid_size()) together(segment);
    return;
  }
  u32 turn = 0;
  const u64 step = u64(grid_size()) * groups_per_block;
  for (u64 batch = u64(block_index()) * groups_per_block; batch < arguments.segments; batch += step, turn ^= 1) {
    const bool is_long = fold_by_groups(arguments, batch, scalars);
    for_long_segments(is_long, batch, turn, shared.segments, together);
  }
}
