// Takes the block's ticket, by one thread, while the previous kernel in the stream may still run. The next kernel takes
// tickets from the same word, but starts only when all blocks of this one have taken theirs; the last of them has begun
// the next epoch by then. Checked: a ticket beyond the last, which there is only if another launch uses the workspace
// at the same time, ends the launch. Reduces use no ticket as an address, and one more branch here makes some of them
// 13% slower (i8, 2^22 items on an H200).
#pragma once

#include "block/start.plain.cuh"
#include "grid/workspace.cuh"

template <bool checked>
__device__ __forceinline__ Claim enter(Workspace* workspace) {
  const Claim claim = claim_of(take_tickets(workspace, 1));
  if (checked && claim.number >= grid_size()) abort_kernel();
  if (claim.number + 1 == grid_size()) {
    begin_next_epoch(workspace, claim);
    fence_device();
  }
  return claim;
}
