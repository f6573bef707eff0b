// Folds of segments: a group of threads folds a segment, and no group waits for another one's. What is long for a group
// is folded by the whole block, afterwards.
#pragma once

#include "algorithm/limits.segments.cuh"
#include "block/long_segments.cuh"
#include "block/segment_folds.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "block/values.cuh"
#include "parameters.cuh"
#include "thread/segment_extent.cuh"
#include "tile/prefetch_segments.cuh"

struct SharedStorage {
  BlockValues values;
  LongSegments segments;
};

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  prefetch_segments(arguments);
  await_previous_kernel();
  SharedStorage& shared = block_storage<SharedStorage>();
  const Scalars scalars = read_scalars(passed);
  const auto together = [&](u64 segment) {
    fold_together(arguments, segment, extent_of(arguments, segment), scalars, shared.values);
  };
  if (threads_per_segment > warp_size) {
    for (u64 segment = block_index(); segment < arguments.segments; segment += grid_size()) together(segment);
    return;
  }
  u32 turn = 0;
  const u64 step = u64(grid_size()) * groups_per_block;
  for (u64 batch = u64(block_index()) * groups_per_block; batch < arguments.segments; batch += step, turn ^= 1) {
    const u64 segment = segment_of_group(batch);
    const bool is_long = fold_by_group(arguments, segment, extent_if_any(arguments, segment), scalars);
    for_long_segments(is_long, batch, turn, shared.segments, together);
  }
}
