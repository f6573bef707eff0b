// Asks the L2 cache for a part of the items and of the offsets, before the kernel waits for the one before it.
#pragma once

#include "algorithm/offsets.one_array.cuh"
#include "parameters.cuh"
#include "tile/prefetch.none.cuh"

// Where there are few, all blocks together ask for all. Which part a block asks for is not what it uses.
__device__ __forceinline__ void prefetch_segments(const Arguments& arguments) {
  if (thread_index() != 0 || arguments.n > u64(grid_size()) * threads_per_block) return;
  prefetch_tile<threads_per_block>(arguments.in, arguments.n, block_index());
  for_offset_arrays(arguments, [](const Key* offsets, u64 count) {
    prefetch_tile<threads_per_block>(offsets, count, block_index());
  });
}
