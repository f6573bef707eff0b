// Folds lanes [first, end) of a warp in lane order; every lane gets the result. The other lanes hold nothing.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"

template <bool whole>
__device__ __forceinline__ Accumulator warp_reduce(Accumulator value, int first, int end) {
  const int lane = lane_index();
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const Accumulator above = shuffle_down(value, distance);
    if (whole ? lane + distance < warp_size : lane >= first && lane + distance < end) value = combine(value, above);
  }
  return shuffle(value, whole ? 0 : first);
}
