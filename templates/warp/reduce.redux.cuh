// Folds lanes [first, end) of a warp; every lane gets the result. The other lanes hold nothing. A whole warp needs one
// instruction, which the hardware has for 32-bit integers (compute capability 8.0).
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "operator/redux.plus.cuh"

template <bool whole>
__device__ __forceinline__ Accumulator warp_reduce(Accumulator value, int first, int end) {
  if (whole || (first == 0 && end >= warp_size)) return redux(value);
  const int lane = lane_index();
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const Accumulator above = shuffle_down(value, distance);
    if (lane >= first && lane + distance < end) value = combine(value, above);
  }
  return shuffle(value, first);
}
