// Second step of the reduction ladder: one block folds the partial results. Each thread folds a segment of neighbouring
// ones, then the same tree as in the first step folds the segments. Where Harris launches his kernel again and again,
// two steps are enough for any number of items.
#pragma once

#include "algorithm/hooks.reduce.cuh"
#include "algorithm/start.initial.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "block/tree.sequential.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"

struct SharedStorage {
  BlockTreeStorage tree;
};

// Folds this thread's segment of `count` partial results, at least one. `active`: how many threads have one, the
// lowest.
__device__ __forceinline__ Accumulator fold_segment(const Accumulator* partials, u64 count, int& active) {
  const u64 share = (count + threads_per_block - 1) / threads_per_block;
  const u64 begin = thread_index() * share, end = begin + share < count ? begin + share : count;
  active = int((count + share - 1) / share);
  Accumulator fold;
  for (u64 i = begin; i < end; ++i) fold = i > begin ? combine(fold, partials[i]) : partials[i];
  return fold;
}

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

extern "C" __global__ void __launch_bounds__(threads_per_block)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  Output* const out = arguments.out;
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  await_previous_kernel();
  SharedStorage& shared = block_storage<SharedStorage>();
  const u64 count = *arguments.partial_count;
  if (count == 0) {
    if (has_initial && thread_index() == 0) finish(out, initial_of(read_scalars(passed)));
    return;
  }
  int active;
  const Accumulator value = fold_segment(arguments.partials, count, active);
  const Accumulator total = active == threads_per_block ? block_tree<true>(value, active, shared.tree)
                                                        : block_tree<false>(value, active, shared.tree);
  if (thread_index() == 0) finish(out, has_initial ? combine(initial_of(read_scalars(passed)), total) : total);
}
