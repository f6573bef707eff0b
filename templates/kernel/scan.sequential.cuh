// One thread takes all items in their order: the plainest kernel, and the reference for all others.
#pragma once

#include "algorithm/limits.none.cuh"
#include "algorithm/start.initial.cuh"
#include "block/start.plain.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "tile/inputs.single.cuh"
#include "tile/place.dense.cuh"
#include "tile/total.none.cuh"

extern "C" __global__ void __launch_bounds__(threads_per_block)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  TileInputs inputs = all_inputs(arguments);
  u64 n = arguments.n;
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  await_previous_kernel();
  if (thread_index() != 0) return;
  if (has_limits) inputs = all_inputs(arguments);
  if (has_limits) n = items_of(arguments);
  const Scalars scalars = read_scalars(passed);
  count_ahead(arguments, inputs, n, scalars);
  Accumulator prefix = initial_of(scalars);
  bool has_prefix = has_initial;
  for (u64 first = 0; first < n; first += items_per_thread) {
    const int valid = n - first < items_per_thread ? int(n - first) : items_per_thread;
    Item items[items_per_thread];
    load_items_ahead(inputs_from(inputs, first), valid, items);
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if (i < valid) {
        const Accumulator item = widen(lift(items[i], scalars));
        const Accumulator inclusive = has_prefix ? combine(prefix, item) : item;
        place_result(arguments, first + i, items[i], scalars, has_prefix, prefix, inclusive);
        prefix = inclusive;
        has_prefix = true;
      }
    }
  }
  place_end(arguments, has_prefix, prefix);
}
