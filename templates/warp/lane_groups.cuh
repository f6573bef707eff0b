// Folds and scans of groups of neighbouring lanes: a warp is several groups of `width` lanes each, or one.
#pragma once

#include "operator/combine.value.cuh"
#include "parameters.cuh"

// Folds one value per lane over the first `active` lanes of each group, in their order. The first lane of the group
// gets the result, if any lane is active. All lanes of the warp call.
template <int width, typename T>
__device__ __forceinline__ T fold_lanes(T value, int active) {
  const int lane = lane_index() % width;
#pragma unroll
  for (int distance = 1; distance < width; distance *= 2) {
    const T above = shuffle_down(value, distance);
    if (lane + distance < active) value = combine(value, above);
  }
  return value;
}

// Scans one value per lane over the first `active` lanes of each group, at least one, in their order. `exclusive`
// becomes the fold of the values before the lane's own (untouched in the first lane). Returns the fold of all to all
// lanes of the group. All lanes of the warp call.
template <int width, typename T>
__device__ __forceinline__ T scan_lanes(T value, int active, T& exclusive) {
  const int lane = lane_index() % width;
#pragma unroll
  for (int distance = 1; distance < width; distance *= 2) {
    const T below = shuffle_up(value, distance);
    if (lane >= distance && lane < active) value = combine(below, value);
  }
  const T before = shuffle_up(value, 1);
  if (lane > 0 && lane < active) exclusive = before;
  return shuffle(value, lane_index() - lane + active - 1);
}
