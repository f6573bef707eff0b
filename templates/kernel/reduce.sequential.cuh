// One thread folds all items in their order: the plainest kernel, and the reference for all others.
#pragma once

#include "algorithm/hooks.reduce.cuh"
#include "algorithm/lift.cuh"
#include "algorithm/limits.none.cuh"
#include "algorithm/start.initial.cuh"
#include "block/start.plain.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "thread/load_ahead.cuh"

extern "C" __global__ void __launch_bounds__(threads_per_block)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const Input* const in = arguments.in;
  Output* const out = arguments.out;
  u64 n = arguments.n;
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  await_previous_kernel();
  if (thread_index() != 0) return;
  if (has_limits) n = items_of(arguments);
  Accumulator total = initial_of(read_scalars(passed));
  bool has_total = has_initial;
  for (u64 first = 0; first < n; first += items_per_thread) {
    const int valid = n - first < items_per_thread ? int(n - first) : items_per_thread;
    Input items[items_per_thread];
    load_ahead(in + first, valid, items);
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if (i < valid) {
        const Accumulator item = lift(items[i]);
        total = has_total ? combine(total, item) : item;
        has_total = true;
      }
    }
  }
  if (has_total) finish(out, total);
}
