// Stable partition: the items for which a predicate holds go to the front.
#pragma once

#include "algorithm/kept.cuh"
#include "operator/predicate.less.cuh"
#include "parameters.cuh"

// What an item contributes: 1 if it goes to the front.
__device__ __forceinline__ Local lift(const Item& item, const Scalars& scalars) {
  return holds(item.in, scalars.threshold) ? 1 : 0;
}
