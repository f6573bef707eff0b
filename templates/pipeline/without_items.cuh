// A call without items, where segments have one result each.
#pragma once

#include "algorithm/hooks.reduce_segments.cuh"
#include "algorithm/limits.segments.cuh"
#include "operator/combine.flagged.cuh"
#include "parameters.cuh"

// The results of segments without items.
__device__ __forceinline__ void finish_without_items(const Arguments& arguments, const Scalars& scalars) {
  const u64 ends = count_offsets(arguments);
  for (u64 i = u64(block_index()) * threads_per_block + u64(thread_index()) + 1; i < ends;
       i += u64(grid_size()) * threads_per_block) {
    if (ends_segment(i)) finish_segment(arguments.out + segment_of_end(i), false, scalars.initial, scalars);
  }
}
