// A generated source has the hooks of its algorithm in this place. Here, those of an inclusive scan that reads arrays.
#pragma once

#include "parameters.cuh"

// What an item contributes.
__device__ __forceinline__ Local lift(const Item& item, const Scalars&) { return Local(item.in); }

// The result at an item's place, from its exclusive and its inclusive prefix.
__device__ __forceinline__ Result result_of(const Item&, const Local&, const Local& inclusive, const Scalars&) {
  return {Output(inclusive)};
}
