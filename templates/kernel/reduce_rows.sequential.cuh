// Each thread folds one row after the other: the plainest kernel, and the reference for all others.
#pragma once

#include "algorithm/hooks.reduce.cuh"
#include "algorithm/lift.cuh"
#include "algorithm/row_pitch.none.cuh"
#include "algorithm/start.initial.cuh"
#include "block/start.plain.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "thread/load_ahead.cuh"

extern "C" __global__ void __launch_bounds__(threads_per_block)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const u64 row_length = arguments.row_length;
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  await_previous_kernel();
  const Accumulator initial = initial_of(read_scalars(passed));
  for (u64 row = u64(thread_index()); row < arguments.rows; row += threads_per_block) {
    const Input* const in = arguments.in + row * in_pitch_of(arguments);
    Accumulator total = initial;
    for (u64 first = 0; first < row_length; first += items_per_thread) {
      const int valid = row_length - first < items_per_thread ? int(row_length - first) : items_per_thread;
      Input items[items_per_thread];
      load_ahead(in + first, valid, items);
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) {
        if (i < valid) total = combine(total, lift(items[i]));
      }
    }
    finish(arguments.out + row, total);
  }
}
