// Partition: the items for which a predicate holds go to the beginning of the output, the others to its end.
#pragma once

#include "algorithm/kept.cuh"
#include "algorithm/kept_item.cuh"
#include "operator/predicate.less.cuh"
#include "parameters.cuh"

// What an item contributes: 1 if it goes to the beginning.
__device__ __forceinline__ Local lift(const Item& item, const Scalars& scalars) {
  return holds(item.in, scalars.threshold) ? 1 : 0;
}
