// Every so many tiles are a block's. All blocks must run at the same time (a cooperative launch). Which block has which
// tiles does not depend on timing, and so neither does the association.
#pragma once

#include "grid/workspace.cuh"

// Each block takes one ticket, which tells the epoch.
__device__ __forceinline__ u32 tickets_per_block(u32) { return 1; }

__device__ __forceinline__ u64 take_ticket(Workspace* workspace, u32 done) {
  return done == 0 ? take_tickets(workspace, 1) : 0;
}

// The tile that this block works on after `done` others, if there is one.
__device__ __forceinline__ u32 tile_of_ticket(Claim, u32 done) { return done * grid_size() + block_index(); }

// While a tile waits for what another one publishes. Two launches that use one workspace at the same time may each
// take the right number of tickets, and would wait for ever.
__device__ __forceinline__ void check_waiting(const Descriptor* descriptor, u32 epoch) {
  if (is_later(descriptor, epoch)) abort_kernel();
}
