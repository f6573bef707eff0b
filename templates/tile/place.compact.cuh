// Results one by one, in the order of the items. Compact emission: results lie one behind the other.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "algorithm/limits.none.cuh"
#include "parameters.cuh"
#include "operator/combine.count.cuh"
#include "tile/outputs.ports.cuh"

// Writes the result of an item, if the item has a result. `exclusive` is its exclusive prefix, if has_exclusive.
__device__ __forceinline__ void place_result(const Arguments& arguments, u64, const Item& item, const Scalars& scalars,
                                             bool has_exclusive, Accumulator exclusive, Accumulator) {
  if (!has_result(lift(item, scalars))) return;
  const u64 slot = has_exclusive ? slots_of(exclusive) : 0;
  if (has_room(capacity_of(arguments), slot)) put_at(all_results(arguments), slot, result_of(item, exclusive));
}

// Writes what is written once, after the last item. `total` is the fold of all items; it is undefined for no items.
__device__ __forceinline__ void place_end(const Arguments& arguments, bool has_total, Accumulator total) {
  finish(arguments, has_total, total);
}
