// Inclusive scan over the first `active` lanes of a warp, in lane order; the others hold nothing and get nothing.
// Han-Carlson (1987): pairs of lanes, Kogge-Stone's network over the pairs, then the lanes between: 6 steps.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"

template <bool whole>
__device__ __forceinline__ Local warp_scan(Local value, int active) {
  const int lane = lane_index();
  const bool odd = lane % 2 == 1, is_active = whole || lane < active;
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const Local below = shuffle_up(value, distance);
    if (odd && lane >= distance && is_active) value = combine(below, value);
  }
  const Local before = shuffle_up(value, 1);
  if (!odd && lane > 0 && is_active) value = combine(before, value);
  return value;
}
