// The places of results depend on how many items of all are kept: one thread counts them first.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "parameters.cuh"
#include "tile/inputs.ports.cuh"

__device__ __forceinline__ void count_ahead(const Arguments& arguments, const TileInputs& inputs, u64 n,
                                            const Scalars& scalars) {
  u64 total = 0;
  for (u64 first = 0; first < n; first += items_per_thread) {
    const int valid = n - first < items_per_thread ? int(n - first) : items_per_thread;
    Item items[items_per_thread];
    load_items_ahead(inputs_from(inputs, first), valid, items);
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if (i < valid && has_result(lift(items[i], scalars))) ++total;
    }
  }
  *arguments.total = total;
}
