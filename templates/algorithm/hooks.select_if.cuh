// Select: the items for which a predicate holds, in their order.
#pragma once

#include "algorithm/kept.cuh"
#include "algorithm/kept_item.cuh"
#include "operator/predicate.less.cuh"
#include "parameters.cuh"

// What an item contributes: 1 if it is kept.
__device__ __forceinline__ Local lift(const Item& item, const Scalars& scalars) {
  return holds(item.in, scalars.threshold) ? 1 : 0;
}
