// Folds of segments: a group of threads folds a segment, and what is long for a group is folded by the whole block.
// What is very long is announced, and folded piece by piece by the blocks that have announced such segments, and by
// helpers: the last blocks, which have no segments. No block waits for another to finish, and helpers wait for the
// others to look at their segments for a limited time. So a block that announces a segment completes it if nobody
// helps.
#pragma once

#include "algorithm/limits.segments.cuh"
#include "block/long_segments.cuh"
#include "block/segment_folds.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "block/values.cuh"
#include "grid/shared_segments.cuh"
#include "parameters.cuh"
#include "thread/segment_extent.cuh"
#include "tile/prefetch_segments.cuh"

struct SharedStorage {
  BlockValues values;
  LongSegments segments;
  QueueStorage queue;
};

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

// Takes the block's ticket, and lets the next kernel start.
__device__ __forceinline__ void start_block(Workspace* workspace, QueueStorage& storage) {
  storage.announced[thread_index()] = 0;
  if (thread_index() > 0) return;
  storage.has_announced = 0;
  storage.parity = enter<true>(workspace).epoch % 2;
  announce_start();
}

// Folds a segment that is long for a group, unless it is announced.
__device__ __forceinline__ void fold_long(const Arguments& arguments, u64 segment, u64 number, const Extent& extent,
                                          const Scalars& scalars, SharedStorage& shared) {
  if (extent.end - extent.begin <= most_items_alone) {
    fold_together(arguments, segment, extent, scalars, shared.values);
  } else if (!is_announced(number, shared.queue)) {
    fold_alone(arguments, segment, extent, scalars, shared.values);
  }
}

// Folds the block's segments but for those that are announced. `first`: extent of the first one of the thread's group.
__device__ __forceinline__ void fold_own(const Arguments& arguments, u32 owners, Extent extent, const Scalars& scalars,
                                         SharedStorage& shared) {
  u32 turn = 0;
  for (u64 number = 0;; number += groups_per_block, turn ^= 1) {
    const u64 batch = segment_of_owner(number, owners);
    if (batch >= arguments.segments) return;
    const u64 segment = segment_of_group(batch);
    if (number > 0) extent = extent_if_any(arguments, segment);
    if (threads_per_segment > warp_size) {
      fold_long(arguments, segment, number, extent, scalars, shared);
      continue;
    }
    const bool is_long = fold_by_group(arguments, segment, extent, scalars);
    for_long_segments(is_long, batch, turn, shared.segments, [&](u64 long_one) {
      fold_long(arguments, long_one, number + (long_one - batch), extent_of(arguments, long_one), scalars, shared);
    });
  }
}

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const PassedScalars passed = passed_scalars(arguments);
  SharedStorage& shared = block_storage<SharedStorage>();
  SegmentQueue* const queue = queue_of(arguments.workspace);
  const u32 helpers = grid_size() / blocks_per_helper, owners = grid_size() - helpers;
  const bool is_owner = block_index() < owners;
  prefetch_segments(arguments);
  start_block(arguments.workspace, shared.queue);
  await_previous_kernel();
  const Scalars scalars = read_scalars(passed);
  Extent extent{0, 0};
  if (is_owner) extent = extent_if_any(arguments, segment_of_group(segment_of_owner(0, owners)));
  block_barrier();
  QueueState& state = queue->state[shared.queue.parity];
  if (block_index() + 1 == grid_size()) clear_state(queue->state[shared.queue.parity ^ 1]);
  if (is_owner) {
    look_at_segments(arguments, state, owners, extent, shared.queue);
    fold_own(arguments, owners, extent, scalars, shared);
    if (shared.queue.has_announced == 0) return;
  }
  if (thread_index() == 0) shared.queue.entries = is_owner || await_owners(state, owners) ? count_entries(state) : 0;
  const u32 part = is_owner ? block_index() : block_index() - owners, parts = is_owner ? owners : helpers;
  fold_entries(arguments, state, part, parts, scalars, shared.values, shared.queue);
}
