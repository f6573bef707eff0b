#pragma once

#include "parameters.cuh"

// Copies items [begin, end) by one warp: neighbouring lanes write neighbouring items.
__device__ __forceinline__ void copy_out(Output* to, const Output* from, int begin, int end) {
  for (int place = begin + lane_index(); place < end; place += warp_size) to[place] = from[place];
}
