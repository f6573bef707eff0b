// Runs of at least two items: the index of the first item of each, and the number of its items. A run goes on as long
// as a predicate holds for neighbouring items. A run's results are emitted by the first item behind it, and the last
// one's at the end. The value of a fold is the index at which its last run begins: the greatest of all. Not each item
// with which a run begins has a result, so that the count does not tell where runs begin.
#pragma once

#include "algorithm/limits.none.cuh"
#include "value/counted.cuh"
#include "operator/operator.maximum.cuh"
#include "operator/predicate.equal_to.cuh"
#include "parameters.cuh"

// Whether a run begins with an item and another ends before it.
__device__ __forceinline__ bool begins_run(const Item& item) {
  return item.has_before && !holds(item.in_before, item.in);
}

// Whether a run of so many items has a result.
__device__ __forceinline__ bool is_long(Value length) { return length > 1; }

// What an item contributes: whether a run of at least two items ends before it, and where the next one begins. The
// first run begins at 0.
__device__ __forceinline__ Counted<u32, Value> lift(const Item& item, const Scalars&) {
  const bool begins = begins_run(item);
  const bool ends = begins && item.has_before2 && holds(item.in_before2, item.in_before);
  return {ends ? 1u : 0u, begins ? Value(item.index) : Value(0)};
}

// Whether an item that contributes so much has a result.
__device__ __forceinline__ bool has_result(const Counted<u32, Value>& item) { return item.count != 0; }

// The results that an item emits, from its exclusive prefix: the run that ends before it.
template <typename Fold>
__device__ __forceinline__ Result result_of(const Item& item, const Fold& exclusive) {
  return {Output(exclusive.value), Output(Value(item.index) - exclusive.value)};
}

// Writes the last run's results, if it has at least two items, and the number of these runs, once. `total`: the fold of
// all items, if there are any.
__device__ __forceinline__ void finish(const Arguments& arguments, bool has_total, const Counted<u64, Value>& total) {
  const Value length = has_total ? Value(Value(items_of(arguments)) - total.value) : Value(0);
  if (length > 1 && has_room(capacity_of(arguments), total.count)) {
    arguments.offsets[total.count] = Output(total.value);
    arguments.lengths[total.count] = Output(length);
  }
  *arguments.count = has_total ? total.count + (length > 1 ? 1 : 0) : 0;
}
