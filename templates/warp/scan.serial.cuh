// Inclusive scan over the first `active` lanes of a warp, in lane order; the others hold nothing and get nothing.
// Lane after lane: 31 steps of one application of the operator.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"

template <bool whole>
__device__ __forceinline__ Local warp_scan(Local value, int active) {
  const int lane = lane_index();
#pragma unroll 1
  for (int next = 1; next < warp_size; ++next) {
    const Local before = shuffle_up(value, 1);
    if (lane == next && (whole || lane < active)) value = combine(before, value);
  }
  return value;
}
