// Each thread scans one column after the other: the plainest kernel, and the reference for all others.
#pragma once

#include "algorithm/hooks.inclusive_scan.cuh"
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
  const Scalars scalars = read_scalars(passed);
  for (u64 column = u64(thread_index()); column < arguments.columns; column += threads_per_block) {
    const u64 first = column / inner * length * inner + column % inner;
    Accumulator running = initial_of(scalars);
    for (u64 row = 0; row < length; ++row) {
      const Accumulator item = lift(arguments.in[first + row * inner]);
      const Accumulator inclusive = has_initial || row > 0 ? combine(running, item) : item;
      arguments.out[first + row * inner] = Output(emit(running, inclusive));
      running = inclusive;
    }
  }
}
