// A tile's exclusive prefix by decoupled look-back.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "grid/workspace.cuh"
#include "warp/reduce.shuffle.cuh"

constexpr int window_lanes = lookback_window < warp_size ? lookback_window : warp_size;

constexpr int descriptors_per_lane = lookback_window / window_lanes;

// What a lane knows of its part of the window: neighbouring tiles, folded in rising order from the last inclusive
// prefix among them on, if there is one.
struct Inspection {
  Accumulator value;
  bool has_prefix;
  bool complete;  // nothing is missing after the last inclusive prefix
};

__device__ __forceinline__ Inspection inspect(const Descriptor* descriptors, u32 epoch, i64 first) {
  Inspection seen;
  seen.has_prefix = false;
  seen.complete = true;
  bool has_value = false;
#pragma unroll
  for (int k = 0; k < descriptors_per_lane; ++k) {
    if (lane_index() >= window_lanes || first + k < 0) continue;
    const Reading reading = read(descriptors + first + k, epoch);
    if (reading.status == invalid) {
      seen.complete = false;
    } else if (reading.status == inclusive_prefix) {
      seen = {reading.value, true, true};
      has_value = true;
    } else {
      seen.value = has_value ? combine(seen.value, reading.value) : reading.value;
      has_value = true;
    }
  }
  return seen;
}

// Decoupled look-back (Merrill and Garland, 2016, section 4): publishes the tile's total, folds what the tiles before
// it have published, window by window, back to the nearest inclusive prefix, and publishes the tile's own. Returns the
// tile's exclusive prefix. Called by all lanes of one warp, for every tile but the first.
__device__ __forceinline__ Accumulator exchange_prefix(Workspace* workspace, u32 epoch, u32 tile, Accumulator total,
                                                       bool in_place) {
  Descriptor* const published = descriptors(workspace);
  if (lane_index() == 0) publish(published + tile, epoch, aggregate, total);

  Accumulator prefix = total;
  for (i64 end = tile;; end -= lookback_window) {
    const i64 first = end - lookback_window + lane_index() * descriptors_per_lane;
    Inspection seen;
    u32 prefixes;
    int nearest;
    while (true) {
      if (delay_nanoseconds > 0) wait_nanoseconds(delay_nanoseconds);
      seen = inspect(published, epoch, first);
      prefixes = warp_ballot(seen.has_prefix);
      nearest = prefixes != 0 ? highest_bit(prefixes) : 0;
      const u32 needed = (whole_warp >> (warp_size - window_lanes)) & (whole_warp << nearest);
      if ((warp_ballot(seen.complete) & needed) == needed) break;
    }
    const Accumulator window = warp_reduce<false>(seen.value, nearest, window_lanes);
    prefix = end == tile ? window : combine(window, prefix);
    if (prefixes != 0) break;
  }
  pass_order_on(in_place);
  if (lane_index() == 0) publish(published + tile, epoch, inclusive_prefix, combine(prefix, total));
  return prefix;
}
