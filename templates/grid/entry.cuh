#pragma once

#include "block/start.plain.cuh"
#include "grid/workspace.cuh"

// What a block does before the kernel before it in the stream has ended, by one thread: it draws its number, then lets
// the next kernel start. The next kernel draws from the same word, but can start only when all blocks of this one have
// drawn; who draws last has begun the next epoch by then. Checked: a number beyond the last, which a launch draws only
// where another one uses its workspace at the same time, ends the launch. Reduces take no number for an address, and
// one more branch here makes some of them 13% slower (i8, 2^22 items on an H200).
template <bool checked>
__device__ __forceinline__ Claim enter(Workspace* workspace) {
  const Claim claim = claim_of(draw(workspace, 1));
  if (checked && claim.number >= grid_size()) abort_kernel();
  if (claim.number + 1 == grid_size()) {
    begin_next_epoch(workspace, claim);
    fence_device();
  }
  return claim;
}
