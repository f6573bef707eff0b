// Hillis and Steele's scan of the whole input: ceil(log2 n) passes, from one of two arrays of scratch to the other. In
// pass p, each item is combined with the one 2^p places before. What follows from pass to pass is separated by a
// barrier of the grid instead of the end of a kernel: a call has one launch for any n.
#pragma once

#include "algorithm/hooks.inclusive_scan.cuh"
#include "algorithm/lift.cuh"
#include "algorithm/limits.none.cuh"
#include "algorithm/start.initial.cuh"
#include "block/start.plain.cuh"
#include "grid/barrier.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "tile/inputs.single.cuh"
#include "tile/results.forward.cuh"

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  u64 n = arguments.n;
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  await_previous_kernel();
  if (has_limits) n = items_of(arguments);
  const Scalars scalars = read_scalars(passed);
  const TileInputs inputs = all_inputs(arguments);
  const TileResults results = all_results(arguments);
  const u64 begin = u64(block_index()) * threads_per_block + thread_index();
  const u64 stride = u64(grid_size()) * threads_per_block;

  Accumulator* from = arguments.ping;
  Accumulator* to = arguments.pong;
  for (u64 i = begin; i < n; i += stride) from[i] = lift(inputs.in[i]);
  grid_barrier(arguments.workspace);
  for (u64 distance = 1; distance < n; distance *= 2) {
    for (u64 i = begin; i < n; i += stride) to[i] = i < distance ? from[i] : combine(from[i - distance], from[i]);
    grid_barrier(arguments.workspace);
    Accumulator* const other = from;
    from = to;
    to = other;
  }

  for (u64 i = begin; i < n; i += stride) {
    Accumulator exclusive = initial_of(scalars);
    if (i > 0) exclusive = has_initial ? combine(exclusive, from[i - 1]) : from[i - 1];
    const Accumulator inclusive = has_initial ? combine(initial_of(scalars), from[i]) : from[i];
    results.to[i] = Output(emit(exclusive, inclusive));
  }
}
