// Chained scan (Yan, Long and Zhang, "StreamScan", 2013): waits for the inclusive prefix of the tile before and
// publishes the tile's own. The association is fixed, so results are reproducible. Returns the tile's exclusive
// prefix. Called by all lanes of one warp, for every tile but the first.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "grid/workspace.cuh"

__device__ __forceinline__ Accumulator exchange_prefix(Workspace* workspace, u32 epoch, u32 tile, Accumulator total,
                                                       bool in_place) {
  Descriptor* const published = descriptors(workspace);
  Reading predecessor;
  do {
    if (delay_nanoseconds > 0) wait_nanoseconds(delay_nanoseconds);
    predecessor = read(published + tile - 1, epoch);
  } while (warp_ballot(predecessor.status != inclusive_prefix) != 0);
  pass_order_on(in_place);
  if (lane_index() == 0) publish(published + tile, epoch, inclusive_prefix, combine(predecessor.value, total));
  return predecessor.value;
}
