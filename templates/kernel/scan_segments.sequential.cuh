// Each thread scans one segment after the other: the plainest kernel, and the reference for all others.
#pragma once

#include "algorithm/limits.segments.cuh"
#include "algorithm/row_initial.none.cuh"
#include "block/start.plain.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"
#include "thread/load_ahead.cuh"
#include "thread/segment_extent.cuh"

extern "C" __global__ void __launch_bounds__(threads_per_block)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  await_previous_kernel();
  const Scalars scalars = read_scalars(passed);
  for (u64 segment = u64(thread_index()); segment < arguments.segments; segment += threads_per_block) {
    const Extent extent = extent_of(arguments, segment);
    Value prefix = row_initial_of(scalars);
    for (u64 first = extent.begin; first < extent.end; first += items_per_thread) {
      const int valid = extent.end - first < items_per_thread ? int(extent.end - first) : items_per_thread;
      Input items[items_per_thread];
      load_ahead(arguments.in + first, valid, items);
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) {
        if (i >= valid) continue;
        const bool has_prefix = rows_have_initial || i > 0 || first > extent.begin;
        const Value inclusive = has_prefix ? Value(combine(prefix, Value(items[i]))) : Value(items[i]);
        arguments.out[first + u64(i)] = Output(rows_have_initial ? prefix : inclusive);
        prefix = inclusive;
      }
    }
  }
}
