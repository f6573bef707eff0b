// Block-wide fold by raking: each lane of one warp folds a segment of the threads' values.
#pragma once

#include "block/padding.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "warp/reduce.shuffle.cuh"

constexpr int raking_segment = threads_per_block / warp_size;

struct BlockReduceStorage {
  Accumulator value[padded(threads_per_block)];
};

// Folds one value a thread over the first `active` threads of the block, at least one, in thread order; the result is
// warp 0's. Each lane of warp 0 folds a segment of neighbouring threads' values, then the warp folds the segments. A
// barrier must follow before the storage is used again.
template <bool whole>
__device__ __forceinline__ Accumulator block_reduce(Accumulator value, int active, BlockReduceStorage& storage) {
  const int thread = thread_index(), lane = lane_index();
  if (whole || thread < active) storage.value[padded(thread)] = value;
  block_barrier();

  if (warp_index() > 0) return value;
  const int first = lane * raking_segment;
  const int left = whole ? raking_segment : active - first;
  const int count = left < raking_segment ? left : raking_segment;
  Accumulator fold = storage.value[padded(first)];
  for (int i = 1; i < count; ++i) fold = combine(fold, storage.value[padded(first + i)]);
  return warp_reduce<whole>(fold, 0, whole ? warp_size : (active + raking_segment - 1) / raking_segment);
}
