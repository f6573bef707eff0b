// Reduce by key: neighbouring items with equal keys are a run, and each run has a result, its key and the fold of its
// values. A run's result is emitted by the first item behind it, and the last one's at the end.
#pragma once

#include "algorithm/limits.none.cuh"
#include "value/counted.cuh"
#include "parameters.cuh"

// What an item contributes: its value, and whether a run ends before it.
__device__ __forceinline__ Counted<u32, Value> lift(const Item& item, const Scalars&) {
  return {item.has_before && !(item.keys_before == item.keys) ? 1u : 0u, Value(item.values)};
}

// Whether an item that contributes so much has a result.
__device__ __forceinline__ bool has_result(const Counted<u32, Value>& item) { return item.count != 0; }

// The result that an item emits: the key and the fold of the run that ends before the item, from the item's exclusive
// prefix.
template <typename Fold>
__device__ __forceinline__ Result result_of(const Item& item, const Fold& exclusive) {
  return {item.keys_before, Output(exclusive.value)};
}

// Writes the last run's result and the number of runs, once. `total`: the fold of all items, if there are any.
__device__ __forceinline__ void finish(const Arguments& arguments, bool has_total, const Counted<u64, Value>& total) {
  if (has_room(capacity_of(arguments), total.count) && has_total) {
    arguments.unique[total.count] = arguments.keys[items_of(arguments) - 1];
    arguments.aggregates[total.count] = Output(total.value);
  }
  *arguments.count = has_total ? total.count + 1 : 0;
}
