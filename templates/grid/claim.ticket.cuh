// Tiles go to blocks in the order in which they ask, so that a tile depends only on tiles of blocks that run already:
// no order in which blocks are started can lead to a deadlock (Merrill and Garland, 2016, section 4.4).
#pragma once

#include "grid/workspace.cuh"

// Up to so many rounds, no block gets more than its share: blocks that start first would take it all.
constexpr u32 fair_rounds = 6;

// Number of tickets that each block takes, whether there is a tile for each or not.
__device__ __forceinline__ u32 tickets_per_block(u32 tiles) {
  const u32 rounds = (tiles + grid_size() - 1) / grid_size();
  return rounds <= fair_rounds ? rounds : 2 * rounds;
}

// Takes the ticket of the tile that this block works on after `done` others, if there is one.
__device__ __forceinline__ u64 take_ticket(Workspace* workspace, u32) { return take_tickets(workspace, 1); }

__device__ __forceinline__ u32 tile_of_ticket(Claim claim, u32) { return claim.number; }

// While a tile waits for what another one publishes. Launches that use one workspace at the same time take too
// many tickets, and are found by that.
__device__ __forceinline__ void check_waiting(const Descriptor*, u32) {}
