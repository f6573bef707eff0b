// Nonzero: the indices of the items for which a predicate holds.
#pragma once

#include "algorithm/kept.cuh"
#include "operator/predicate.less.cuh"
#include "parameters.cuh"

// What an item contributes: 1 if its index is a result.
__device__ __forceinline__ Local lift(const Item& item, const Scalars& scalars) {
  return holds(item.in, scalars.threshold) ? 1 : 0;
}

// The fold of the items before it is not used.
template <typename Fold>
__device__ __forceinline__ Result result_of(const Item& item, const Fold&) {
  return {Output(item.index)};
}
