// Unique: the first item of each run. A run goes on as long as a predicate holds for neighbouring items.
#pragma once

#include "algorithm/kept.cuh"
#include "algorithm/kept_item.cuh"
#include "operator/predicate.equal_to.cuh"
#include "parameters.cuh"

// What an item contributes: 1 if a run begins with it.
__device__ __forceinline__ Local lift(const Item& item, const Scalars&) {
  return item.has_before && holds(item.in_before, item.in) ? 0 : 1;
}
