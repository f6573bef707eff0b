// Inclusive scan over the first `active` lanes of a warp, in lane order; the others hold nothing and get nothing.
// Brent-Kung (1982): an upsweep of 5 steps and a downsweep of 4; the fewest operator applications.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"

template <bool whole>
__device__ __forceinline__ Local warp_scan(Local value, int active) {
  const int lane = lane_index(), place = lane + 1;
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const Local below = shuffle_up(value, distance);
    if (place % (2 * distance) == 0 && (whole || lane < active)) value = combine(below, value);
  }
#pragma unroll
  for (int distance = warp_size / 4; distance > 0; distance /= 2) {
    const Local below = shuffle_up(value, distance);
    if (place % (2 * distance) == distance && place > distance && (whole || lane < active)) {
      value = combine(below, value);
    }
  }
  return value;
}
