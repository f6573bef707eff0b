// One thread folds one segment after the other: the plainest kernel, and the reference for all others.
#pragma once

#include "algorithm/hooks.reduce_segments.cuh"
#include "algorithm/limits.segments.cuh"
#include "block/start.plain.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "thread/load_ahead.cuh"

extern "C" __global__ void __launch_bounds__(threads_per_block)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  await_previous_kernel();
  if (thread_index() != 0) return;
  const Scalars scalars = read_scalars(passed);
  const Offsets offsets = offsets_of(arguments);
  u64 begin = first_item(offsets, arguments.n);
  for (u64 k = 1; k < count_offsets(arguments); ++k) {
    const u64 offset = offset_at(offsets, k), end = offset < arguments.n ? offset : arguments.n;
    Value total;
    bool has_items = false;
    for (u64 first = begin; ends_segment(k) && first < end; first += items_per_thread) {
      const int valid = end - first < items_per_thread ? int(end - first) : items_per_thread;
      Input items[items_per_thread];
      load_ahead(arguments.in + first, valid, items);
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) {
        if (i >= valid) continue;
        total = has_items ? combine(total, Value(items[i])) : Value(items[i]);
        has_items = true;
      }
    }
    if (ends_segment(k)) finish_segment(arguments.out + segment_of_end(k), has_items, total, scalars);
    begin = end > begin ? end : begin;
  }
}
