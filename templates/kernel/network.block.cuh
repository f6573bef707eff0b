// A scan network by itself: one block scans one value per thread, over the first n threads. Place i of the output gets
// the exclusive prefix of value i, and place 0, which has none, the total.
#pragma once

#include "block/scan.kogge_stone.cuh"
#include "block/storage.static.cuh"
#include "parameters.cuh"

extern "C" __global__ void __launch_bounds__(threads_per_block)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  BlockScanStorage& storage = block_storage<BlockScanStorage>();
  const int thread = thread_index(), active = int(arguments.n);
  Local value{}, exclusive{};
  if (thread < active) value = arguments.in[thread];
  const Local total = active == threads_per_block ? block_scan<true>(value, active, exclusive, storage)
                                                  : block_scan<false>(value, active, exclusive, storage);
  if (thread < active) arguments.out[thread] = thread == 0 ? total : exclusive;
}
