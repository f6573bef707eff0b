#pragma once

#include "grid/workspace.cuh"

// Every so many tiles are a block's. All blocks must run at the same time (a cooperative launch). Which block has which
// tiles does not depend on timing, and so neither does the association.

// Blocks draw for the epoch alone.
__device__ __forceinline__ u32 draws_per_block(u32) {
  return 1;
}

__device__ __forceinline__ u64 draw_tile(Workspace* workspace, u32 done) {
  return done == 0 ? draw(workspace, 1) : 0;
}

// The tile that this block works on after `done` others, if there is one.
__device__ __forceinline__ u32 drawn_tile(Claim, u32 done) {
  return done * grid_size() + block_index();
}

// While a tile waits for what another one publishes. Two launches that use one workspace at the same time may each have
// drawn as many numbers as are right, and would wait for ever.
__device__ __forceinline__ void check_waiting(const Descriptor* descriptor, u32 epoch) {
  if (is_later(descriptor, epoch)) abort_kernel();
}
