// Results one by one, in the order of the items. Emission to both ends: results of some items lie one behind the other
// from the beginning of the output on, those of the others from its end back.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "algorithm/limits.none.cuh"
#include "operator/combine.count.cuh"
#include "parameters.cuh"
#include "tile/outputs.ports.cuh"

// Writes the result of item i. `exclusive` is its exclusive prefix, if has_exclusive.
__device__ __forceinline__ void place_result(const Arguments& arguments, u64 i, const Item& item,
                                             const Scalars& scalars, bool has_exclusive, Accumulator exclusive,
                                             Accumulator) {
  const u64 front = has_exclusive ? slots_of(exclusive) : 0, back = i - front;
  const bool is_front = has_result(lift(item, scalars));
  put_at(all_results(arguments), is_front ? front : items_of(arguments) - 1 - back, result_of(item, exclusive));
}

// Writes what is written once, after the last item. `total` is the fold of all items; it is undefined for no items.
__device__ __forceinline__ void place_end(const Arguments& arguments, bool has_total, Accumulator total) {
  finish(arguments, has_total, total);
}
