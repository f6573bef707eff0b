// Unique by key: the key and the value of the first item of each run. A run goes on as long as a predicate holds for
// neighbouring keys.
#pragma once

#include "algorithm/kept.cuh"
#include "operator/predicate.equal_to.cuh"
#include "parameters.cuh"

// What an item contributes: 1 if a run begins with it.
__device__ __forceinline__ Local lift(const Item& item, const Scalars&) {
  return item.has_before && holds(item.keys_before, item.keys) ? 0 : 1;
}

// The results of the first item of a run. The fold of the items before it is not used.
template <typename Fold>
__device__ __forceinline__ Result result_of(const Item& item, const Fold&) {
  return {item.keys, item.values};
}
