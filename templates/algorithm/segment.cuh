// Neighbouring items with equal keys are a segment.
#pragma once

#include "parameters.cuh"

__device__ __forceinline__ bool begins_segment(const Item& item) {
  return !item.has_before || !(item.keys_before == item.keys);
}
