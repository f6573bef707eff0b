// Each thread folds one segment after the other: the plainest kernel, and the reference for all others.
#pragma once

#include "algorithm/hooks.reduce_segments.cuh"
#include "algorithm/limits.segments.cuh"
#include "block/start.plain.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
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
    Value total;
    for (u64 first = extent.begin; first < extent.end; first += items_per_thread) {
      const int valid = extent.end - first < items_per_thread ? int(extent.end - first) : items_per_thread;
      Input items[items_per_thread];
      load_ahead(arguments.in + first, valid, items);
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) {
        if (i >= valid) continue;
        total = i > 0 || first > extent.begin ? combine(total, Value(items[i])) : Value(items[i]);
      }
    }
    finish_segment(arguments.out + segment, extent.end > extent.begin, total, scalars);
  }
}
