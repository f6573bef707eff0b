// A generated source has the hooks of its algorithm in this place. Here, an item contributes as in select_if, and
// results are the numbers of items that were found.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "parameters.cuh"

// The result at an item's place, from its exclusive and its inclusive prefix.
__device__ __forceinline__ Result result_of(const Item&, const Local&, const Local& inclusive, const Scalars&) {
  return {Output(inclusive)};
}
