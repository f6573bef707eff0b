#pragma once

#include "block/start.plain.cuh"
#include "tile/workspace.cuh"

// What a block does before the kernel before it in the stream has ended, by one thread: it draws its number, then lets
// the next kernel start. The next kernel draws from the same word, but can start only when all blocks of this one have
// drawn; who draws last has begun the next epoch by then.
__device__ __forceinline__ Claim enter(Workspace* workspace) {
  const Claim claim = claim_of(draw(workspace, 1));
  if (claim.number + 1 == grid_size()) {
    begin_next_epoch(workspace, claim);
    fence_device();
  }
  return claim;
}
