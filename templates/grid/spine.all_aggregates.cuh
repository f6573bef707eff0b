// A tile's exclusive prefix from the aggregates of all tiles before it.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "grid/workspace.cuh"
#include "warp/reduce.shuffle.cuh"

constexpr int spine_warps = threads_per_block / warp_size;

struct SpineStorage {
  Accumulator fold[spine_warps];
};

// The fold of the totals of tiles [first, end), by one warp; at least one.
__device__ __forceinline__ Accumulator fold_aggregates(const Descriptor* published, u32 epoch, u32 first, u32 end) {
  Accumulator fold;
  for (u32 at = first; at < end; at += warp_size) {
    const int count = end - at < warp_size ? int(end - at) : warp_size;
    Accumulator value;
    if (lane_index() < count) {
      Reading total;
      do {
        if (delay_nanoseconds > 0) wait_nanoseconds(delay_nanoseconds);
        total = read(published + at + lane_index(), epoch);
      } while (total.status == invalid);
      value = total.value;
    }
    warp_barrier();
    const Accumulator part = warp_reduce<false>(value, 0, count);
    fold = at == first ? part : combine(fold, part);
  }
  return fold;
}

// Publishes the tile's aggregate, and returns the tile's exclusive prefix to all threads. `in_place`: results take the
// place of items. The warps share the aggregates of all tiles before, and each warp waits for its own: there is one
// exchange between any two tiles, and no chain. The association does not depend on timing.
__device__ __forceinline__ Accumulator exclusive_prefix_of_tile(Workspace* workspace, u32 epoch, u32 tile,
                                                                Accumulator initial, Accumulator total, bool in_place,
                                                                SpineStorage& storage) {
  Descriptor* const published = descriptors(workspace);
  if (thread_index() == 0) {
    if (in_place) fence_device();  // the block's loads come before what is published
    publish(published + tile, epoch, aggregate, total);
  }

  const u32 share = (tile + threads_per_block - 1) / threads_per_block * warp_size, first = warp_index() * share;
  if (first < tile) {
    const Accumulator fold = fold_aggregates(published, epoch, first, first + share < tile ? first + share : tile);
    if (lane_index() == 0) storage.fold[warp_index()] = fold;
    if (in_place) fence_device();  // the loads of the tiles before come before the block's stores
  }
  barrier_before_stores();

  Accumulator prefix = initial;
#pragma unroll
  for (int warp = 0; warp < spine_warps; ++warp) {
    if (warp * share >= tile) continue;
    prefix = warp > 0 || has_initial ? combine(prefix, storage.fold[warp]) : storage.fold[warp];
  }
  return prefix;
}
