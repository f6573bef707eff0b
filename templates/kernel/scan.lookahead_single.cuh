// The schedule lookahead with one array that is read, and one that is written.
#pragma once

#include "algorithm/limits.none.cuh"
#include "block/start.plain.cuh"
#include "block/storage.dynamic.cuh"
#include "kernel/scan.lookahead.cuh"
#include "parameters.cuh"
#include "pipeline/arrays.single.cuh"

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const Input* const in = arguments.in;
  Output* const out = arguments.out;
  u64 n = arguments.n;
  const PassedScalars passed = passed_scalars(arguments);
  Workspace* const workspace = arguments.workspace;
  SharedStorage& shared = block_storage<SharedStorage>();
  announce_start();
  if (thread_index() == 0) {
    init_barriers(shared);
    prefetch_arrays(arguments, block_index());  // some block's first
  }
  block_barrier();
  await_previous_kernel();

  if (has_limits) n = items_of(arguments);
  if ((has_limits || finishes) && n == 0) {
    if (has_limits && block_index() > 0) return;
    if (finishes && thread_index() == 0) finish_tiles(arguments, false, initial_of(read_scalars(passed)));
    return;
  }
  const Span span = span_of(in, out, n, capacity_of(arguments));
  const int role = warp_index() - worker_warps;
  if (role < 0) {
    scan_tiles(span, read_scalars(passed), shared);
  } else if (role == 0) {
    load_tiles(span, workspace, shared);
  } else if (role == 1) {
    publish_aggregates(span, workspace, shared);
  } else {
    carry_prefixes(span, workspace, arguments, initial_of(read_scalars(passed)), shared);
  }
}
