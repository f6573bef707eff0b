// A tile's exclusive prefix, learned by one warp and shared with the block.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "grid/prefix.lookback.cuh"
#include "grid/workspace.cuh"

struct SpineStorage {
  Accumulator prefix;
};

// Publishes the tile's aggregate, and returns the tile's exclusive prefix to all threads: one warp learns it from the
// tiles before. `in_place`: results take the place of items.
__device__ __forceinline__ Accumulator exclusive_prefix_of_tile(Workspace* workspace, u32 epoch, u32 tile,
                                                                Accumulator initial, Accumulator total, bool in_place,
                                                                SpineStorage& storage) {
  if (warp_index() == 0) {
    if (in_place) fence_device();  // the block's loads come before what is published
    Accumulator prefix = initial;
    if (tile > 0) {
      prefix = exchange_prefix(workspace, epoch, tile, total, in_place);
    } else if (lane_index() == 0) {
      publish(descriptors(workspace), epoch, inclusive_prefix, has_initial ? combine(initial, total) : total);
    }
    if (in_place) fence_device();  // the loads of the tiles before come before the block's stores
    if (lane_index() == 0) storage.prefix = prefix;
  }
  barrier_before_stores();
  return storage.prefix;
}
