// Inclusive scan over the first `active` lanes of a warp, in lane order; the others hold nothing and get nothing.
// Ladner-Fischer (1980): pairs of lanes, Sklansky's network over the pairs, then the lanes between: 6 steps.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"

template <bool whole>
__device__ __forceinline__ Local warp_scan(Local value, int active) {
  const int lane = lane_index();
  const bool odd = lane % 2 == 1, is_active = whole || lane < active;
  const Local partner = shuffle_up(value, 1);
  if (odd && is_active) value = combine(partner, value);
#pragma unroll
  for (int half = 2; half < warp_size; half *= 2) {
    const bool upper = lane & half;
    const Local below = shuffle(value, upper ? (lane & -half) - 1 : lane);
    if (upper && odd && is_active) value = combine(below, value);
  }
  const Local before = shuffle_up(value, 1);
  if (!odd && lane > 0 && is_active) value = combine(before, value);
  return value;
}
