// Three-way partition: an item goes to the first of two thresholds for which a predicate holds, or else to the rest.
#pragma once

#include "algorithm/limits.none.cuh"
#include "operator/predicate.less.cuh"
#include "value/part_counts.cuh"
#include "parameters.cuh"

// What an item contributes: 1 to the part that it goes to, unless that is the last one.
__device__ __forceinline__ PartCounts<u32> lift(const Item& item, const Scalars& scalars) {
  const bool is_first = holds(item.in, scalars.threshold);
  const bool is_second = !is_first && holds(item.in, scalars.second_threshold);
  return {is_first ? 1u : 0u, is_second ? 1u : 0u};
}

// Writes the numbers of items, once. `total`: the fold of all items, if there are any.
template <typename Count>
__device__ __forceinline__ void finish(const Arguments& arguments, bool has_total, const PartCounts<Count>& total) {
  *arguments.first_count = has_total ? total.first : 0;
  *arguments.second_count = has_total ? total.second : 0;
  *arguments.rest_count = has_total ? Count(items_of(arguments) - total.first - total.second) : 0;
}
