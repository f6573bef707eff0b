// Results one by one, in the order of the items, the last one of the array first. Dense emission: a result at the place
// of each item.
#pragma once

#include "algorithm/hooks.inclusive_scan.cuh"
#include "algorithm/lift.cuh"
#include "algorithm/limits.none.cuh"
#include "parameters.cuh"

__device__ __forceinline__ Local lift(Item item, const Scalars&) { return lift(item); }

// Writes the result of item i, if the item has a result. `exclusive` is the item's exclusive prefix,
// which is undefined for the first item if there is no initial value.
__device__ __forceinline__ void place_result(const Arguments& arguments, u64 i, Item, const Scalars&, bool,
                                             Accumulator exclusive, Accumulator inclusive) {
  arguments.out[items_of(arguments) - 1 - i] = Output(emit(exclusive, inclusive));
}

// Writes what is written once, after the last item. `total` is the fold of all items; it is undefined for no items.
__device__ __forceinline__ void place_end(const Arguments&, bool, Accumulator) {}
