// One block folds all items. The kernel has no workspace.
#pragma once

#include "algorithm/hooks.reduce.cuh"
#include "algorithm/limits.none.cuh"
#include "algorithm/start.initial.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "tile/accumulate.per_thread.cuh"
#include "tile/prefetch.none.cuh"

struct SharedStorage {
  AccumulateStorage accumulate;
};

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const Input* const in = arguments.in;
  Output* const out = arguments.out;
  u64 n = arguments.n;
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  if (thread_index() == 0) prefetch_tile<tile_items>(in, n, block_index());
  await_previous_kernel();
  if (has_limits) n = items_of(arguments);
  SharedStorage& shared = block_storage<SharedStorage>();
  if (n == 0) {
    if (has_initial && thread_index() == 0) finish(out, initial_of(read_scalars(passed)));
    return;
  }
  const Accumulator total = accumulate(in, n, 0, 1, shared.accumulate);
  if (thread_index() == 0) finish(out, has_initial ? combine(initial_of(read_scalars(passed)), total) : total);
}
