// Inclusive scan over the first `active` lanes of a warp, in lane order; the others hold nothing and get nothing.
// Kogge-Stone of radix 4: 3 steps, in which each lane takes up to three earlier values, with two applications of the
// operator in a row.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"

template <bool whole>
__device__ __forceinline__ Local warp_scan(Local value, int active) {
  const int lane = lane_index();
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 4) {
    const Local one = shuffle_up(value, distance);
    if (2 * distance >= warp_size) {
      if (lane >= distance && (whole || lane < active)) value = combine(one, value);
    } else {
      Local two = shuffle_up(value, 2 * distance);
      const Local three = shuffle_up(value, 3 * distance);
      if (lane >= distance && (whole || lane < active)) value = combine(one, value);
      if (lane >= 3 * distance && (whole || lane < active)) two = combine(three, two);
      if (lane >= 2 * distance && (whole || lane < active)) value = combine(two, value);
    }
  }
  return value;
}
