// Inclusive scan over the first `active` lanes of a warp, in lane order; the others hold nothing and get nothing.
// Sklansky (1960): 5 steps; in each the upper half of a group takes the total of the lower half.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"

template <bool whole>
__device__ __forceinline__ Local warp_scan(Local value, int active) {
  const int lane = lane_index();
#pragma unroll
  for (int half = 1; half < warp_size; half *= 2) {
    const bool upper = lane & half;
    const Local below = shuffle(value, upper ? (lane & -half) - 1 : lane);
    if (upper && (whole || lane < active)) value = combine(below, value);
  }
  return value;
}
