// One thread computes the results of all items in their order: the plainest kernel, and the reference for all others.
#pragma once

#include "algorithm/hooks.adjacent_difference.cuh"
#include "algorithm/limits.none.cuh"
#include "block/start.plain.cuh"
#include "parameters.cuh"
#include "tile/inputs.ports.cuh"
#include "tile/outputs.ports.cuh"

extern "C" __global__ void __launch_bounds__(threads_per_block)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const TileInputs inputs = all_inputs(arguments);
  const TileResults results = all_results(arguments);
  u64 n = arguments.n;
  announce_start();
  await_previous_kernel();
  if (thread_index() != 0) return;
  if (has_limits) n = items_of(arguments);
  for (u64 first = 0; first < n; first += items_per_thread) {
    const int valid = n - first < items_per_thread ? int(n - first) : items_per_thread;
    Item items[items_per_thread];
    load_items_ahead(inputs_from(inputs, first), valid, items);
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if (i < valid) put_at(results, first + i, result_of(items[i]));
    }
  }
}
