// Inclusive scan over the first `active` lanes of a warp, in lane order; the others hold nothing and get nothing.
// Kogge-Stone (1973), Hillis-Steele (1986), for sums with an error term: lanes with nothing before them add -0. So no
// lane branches, and the error of a step is computed while the sums of the next one are on their way.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"

template <bool whole>
__device__ __forceinline__ Local warp_scan(Local value, int active) {
  const int lane = lane_index();
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const Local below = shuffle_up(value, distance);
    const bool has_below = lane >= distance && (whole || lane < active);
    value = combine(has_below ? below : Local(-0.0f), value);
  }
  return value;
}
