#pragma once

#include "grid/workspace.cuh"

// Tiles go to blocks in the order in which they ask, so that a tile depends only on tiles of blocks that run already:
// no order in which blocks are started can lead to a deadlock (Merrill and Garland, 2016, section 4.4).
// Up to so many rounds, no block gets more than its share: blocks that start first would take it all.
constexpr u32 fair_rounds = 6;

// Number of times that each block draws, to the end or for nothing.
__device__ __forceinline__ u32 draws_per_block(u32 tiles) {
  const u32 rounds = (tiles + grid_size() - 1) / grid_size();
  return rounds <= fair_rounds ? rounds : 2 * rounds;
}

// Draws for the tile that this block works on after `done` others, if there is one.
__device__ __forceinline__ u64 draw_tile(Workspace* workspace, u32) {
  return draw(workspace, 1);
}

__device__ __forceinline__ u32 drawn_tile(Claim claim, u32) {
  return claim.number;
}

// While a tile waits for what another one publishes. Launches that use one workspace at the same time draw too many
// numbers, and are found so.
__device__ __forceinline__ void check_waiting(const Descriptor*, u32) {}
