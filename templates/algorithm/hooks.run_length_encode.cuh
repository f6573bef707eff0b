// Run-length encoding: the last item of each run, and the number of its items. A run goes on as long as a predicate
// holds for neighbouring items. A run's results are emitted by the first item behind it, and the last one's at the end.
// The value of a fold is the index at which its last run begins: lengths are differences of indices, and nothing is
// added up item by item.
#pragma once

#include "algorithm/limits.none.cuh"
#include "value/counted.cuh"
#include "operator/predicate.equal_to.cuh"
#include "parameters.cuh"

// What an item contributes: whether a run ends before it, and where the next one begins. The first run begins at 0.
__device__ __forceinline__ Counted<u32, Value> lift(const Item& item, const Scalars&) {
  const bool begins = item.has_before && !holds(item.in_before, item.in);
  return {begins ? 1u : 0u, begins ? Value(item.index) : Value(0)};
}

// Whether an item that contributes so much has a result.
__device__ __forceinline__ bool has_result(const Counted<u32, Value>& item) { return item.count != 0; }

// The results that an item emits, from its exclusive prefix: the run that ends before it.
template <typename Fold>
__device__ __forceinline__ Result result_of(const Item& item, const Fold& exclusive) {
  return {item.in_before, Output(Value(item.index) - exclusive.value)};
}

// Writes the last run's results and the number of runs, once. `total`: the fold of all items, if there are any.
__device__ __forceinline__ void finish(const Arguments& arguments, bool has_total, const Counted<u64, Value>& total) {
  if (has_room(capacity_of(arguments), total.count) && has_total) {
    const u64 n = items_of(arguments);
    arguments.unique[total.count] = arguments.in[n - 1];
    arguments.lengths[total.count] = Output(Value(n) - total.value);
  }
  *arguments.count = has_total ? total.count + 1 : 0;
}
