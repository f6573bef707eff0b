// Results one by one, in the order of the items. Emission of parts: the items of a part lie one behind the other.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "algorithm/parts.stable_partition.cuh"
#include "operator/combine.count.cuh"
#include "parameters.cuh"

// Writes item i to its part. `exclusive` is the item's exclusive prefix, if has_exclusive.
__device__ __forceinline__ void place_result(const Arguments& arguments, u64 i, const Item& item,
                                             const Scalars& scalars, bool has_exclusive, Accumulator exclusive,
                                             Accumulator) {
  const int part = int(part_of(lift(item, scalars)));
  const u64 slot = has_exclusive ? items_of_part(exclusive, i, part) : 0;
  const u64 front = front_of(arguments);
  if (slot >= room_of_part(arguments, front, part)) abort_kernel();
  begin_of_part(arguments, front, part)[slot] = item.in;
}

// Writes what is written once, after the last item. `total` is the fold of all items; it is undefined for no items.
__device__ __forceinline__ void place_end(const Arguments& arguments, bool has_total, Accumulator total) {
  finish(arguments, has_total, total);
}
