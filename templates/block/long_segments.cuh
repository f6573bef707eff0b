// Groups of threads take segments. What is long for a group is left to the whole block.
#pragma once

#include "parameters.cuh"

constexpr int groups_per_block = threads_per_block / threads_per_segment;

// Lanes of a group, which is several in a warp; of a group that is the block, those of each warp.
constexpr int lanes_of_group = threads_per_segment < warp_size ? threads_per_segment : warp_size;

// A group takes as many items at a time, and so many times of a segment, at most.
constexpr int items_of_group = threads_per_segment * items_per_thread;
constexpr u64 most_items_of_group = 4 * u64(items_of_group);

struct LongSegments {
  u32 groups[2][threads_per_block / warp_size];  // by turns: bit i is set if the group that begins with lane i has one
};

// Calls use(segment) with each long segment of the block's groups, of which the first has segment `batch`. By all
// threads of the block; `is_long`: whether that of the thread's group is. `turn`: 0 and 1, by turns, so that nothing is
// written that other threads still read.
template <typename Use>
__device__ __forceinline__ void for_long_segments(bool is_long, u64 batch, u32 turn, LongSegments& shared,
                                                  const Use& use) {
  const u32 begins = warp_ballot(is_long && thread_index() % threads_per_segment == 0);
  if (lane_index() == 0) shared.groups[turn][warp_index()] = begins;
  block_barrier();
  for (int warp = 0; warp < threads_per_block / warp_size; ++warp) {
    for (u32 left = shared.groups[turn][warp]; left != 0; left &= left - 1) {
      use(batch + u64((warp * warp_size + lowest_bit(left)) / threads_per_segment));
    }
  }
}
