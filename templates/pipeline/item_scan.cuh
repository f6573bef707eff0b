// A thread scans its items one by one.
#pragma once

#include "algorithm/hooks.ports.cuh"
#include "parameters.cuh"
#include "pipeline/stage.ports.cuh"

// The scan of this thread's items in their order. `before` is the fold of the segment's items before the next one, if
// has_before.
template <bool whole>
struct ItemScan {
  const PlacedItems& items;
  int begin;
  const Scalars& scalars;
  bool has_before;
  Value before;

  // The result at item i, the next one.
  __device__ __forceinline__ Result next(int i) {
    const Item item = item_at(items, i, begin);
    const Value value = whole || has_before ? extend(item, before, scalars) : lift(item, scalars).value;
    const Result result = result_of(item, before, value, scalars);
    before = value;
    has_before = true;
    return result;
  }
};
