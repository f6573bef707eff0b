// A scan network by itself: one warp scans one value per lane, over the first n lanes.
#pragma once

#include "parameters.cuh"
#include "warp/scan.kogge_stone.cuh"

extern "C" __global__ void __launch_bounds__(warp_size) upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const int lane = lane_index(), active = int(arguments.n);
  Local value{};
  if (lane < active) value = arguments.in[lane];
  value = active == warp_size ? warp_scan<true>(value, warp_size) : warp_scan<false>(value, active);
  if (lane < active) arguments.out[lane] = value;
}
