// Each thread folds one column after the other: the plainest kernel, and the reference for all others.
#pragma once

#include "algorithm/hooks.reduce.cuh"
#include "algorithm/lift.cuh"
#include "algorithm/start.initial.cuh"
#include "block/start.plain.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"

extern "C" __global__ void __launch_bounds__(threads_per_block)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const u64 length = arguments.length, inner = arguments.inner;
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  await_previous_kernel();
  const Accumulator initial = initial_of(read_scalars(passed));
  for (u64 column = u64(thread_index()); column < arguments.columns; column += threads_per_block) {
    const Input* const from = arguments.in + column / inner * length * inner + column % inner;
    Accumulator total = initial;
    for (u64 row = 0; row < length; ++row) total = combine(total, lift(from[row * inner]));
    finish(arguments.out + column, total);
  }
}
