// Each thread scans one row after the other: the plainest kernel, and the reference for all others.
#pragma once

#include "algorithm/hooks.inclusive_scan_rows.cuh"
#include "algorithm/limits.none.cuh"
#include "block/start.plain.cuh"
#include "parameters.cuh"
#include "tile/inputs.ports.cuh"
#include "tile/outputs.ports.cuh"

extern "C" __global__ void __launch_bounds__(threads_per_block)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const TileInputs inputs = all_inputs(arguments);
  const TileResults results = all_results(arguments);
  const u64 row_length = arguments.row_length;
  u64 n = arguments.n;
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  await_previous_kernel();
  if (has_limits) n = items_of(arguments);
  const Scalars scalars = read_scalars(passed);
  for (u64 row = u64(thread_index()) * row_length; row < n; row += threads_per_block * row_length) {
    const u64 end = n - row < row_length ? n : row + row_length;
    Value before{};  // nothing looks at that of a row's first item
    for (u64 first = row; first < end; first += items_per_thread) {
      const int valid = end - first < items_per_thread ? int(end - first) : items_per_thread;
      Item items[items_per_thread];
      load_items_ahead(inputs_from(inputs, first), valid, items);
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) {
        if (i >= valid) continue;
        const Value inclusive = extend(items[i], before, scalars);
        put_at(results, first + i, result_of(items[i], before, inclusive, scalars));
        before = inclusive;
      }
    }
  }
}
