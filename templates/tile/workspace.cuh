#pragma once

#include "parameters.cuh"
#include "tile/descriptor.packed_64.cuh"

// Global memory that outlives the launch. Zero before the first one; each launch leaves it ready for the next.
struct alignas(128) Workspace {
  u32 ticket;      // next tile to claim
  u32 finished;    // blocks that are done with the workspace
  u32 epoch;       // number of launches, modulo last_epoch
  u32 high_water;  // most tiles that any launch had
};

// A descriptor's tag is epoch * 4 + status: those of earlier launches are as good as empty.
constexpr u32 last_epoch = (1u << 30) - 2;

__device__ __forceinline__ Descriptor* descriptors(Workspace* workspace) {
  return reinterpret_cast<Descriptor*>(workspace + 1);
}

struct Claim {
  u32 tile;
  u32 epoch;
};

// Takes the next tile. A tile depends only on tiles claimed before it, by blocks that run already, so no order in which
// blocks are started can lead to a deadlock (Merrill and Garland, 2016, section 4.4).
__device__ __forceinline__ Claim claim_tile(Workspace* workspace) {
  return {add_relaxed(&workspace->ticket, 1), load_relaxed(&workspace->epoch) + 1};
}

// Called by one thread of each block once the block no longer needs the workspace. The last of the blocks resets it.
__device__ __forceinline__ void leave_workspace(Workspace* workspace, u32 blocks, u32 tiles, u32 epoch) {
  if (add_acquire_release(&workspace->finished, 1) != blocks - 1) return;
  const u32 high_water = load_relaxed(&workspace->high_water);
  const u32 used = tiles > high_water ? tiles : high_water;
  if (epoch == last_epoch) {
    for (u32 tile = 0; tile < used; ++tile) clear(descriptors(workspace) + tile);
  }
  store_relaxed(&workspace->high_water, used);
  store_relaxed(&workspace->epoch, epoch == last_epoch ? 0 : epoch);
  store_relaxed(&workspace->finished, 0);
  store_relaxed(&workspace->ticket, 0);
}
