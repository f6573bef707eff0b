// Inclusive scan over the first `active` lanes of a warp, in lane order; the others hold nothing and get nothing.
// Kogge-Stone (1973), Hillis-Steele (1986): 5 steps, every lane busy in each.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"

template <bool whole>
__device__ __forceinline__ Local warp_scan(Local value, int active) {
  const int lane = lane_index();
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const Local below = shuffle_up(value, distance);
    if (lane >= distance && (whole || lane < active)) value = combine(below, value);
  }
  return value;
}
