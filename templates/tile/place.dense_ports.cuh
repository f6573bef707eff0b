// Results one by one, in the order of the items. Dense emission: a result at the place of each item.
#pragma once

#include "algorithm/hooks.ports.cuh"
#include "parameters.cuh"
#include "tile/outputs.ports.cuh"

// Writes the result of item i, from its exclusive prefix, which is undefined for the first item, and its inclusive one.
__device__ __forceinline__ void place_result(const Arguments& arguments, u64 i, const Item& item,
                                             const Scalars& scalars, bool, Accumulator exclusive,
                                             Accumulator inclusive) {
  put_at(all_results(arguments), i, result_of(item, exclusive.value, inclusive.value, scalars));
}

// Writes what is written once, after the last item.
__device__ __forceinline__ void place_end(const Arguments&, bool, Accumulator) {}
