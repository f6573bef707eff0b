// The schedule lookahead where it takes long to fill a stage, because the kernel must look for what lies in the tile:
// the loader only claims tiles, and several more warps, the fillers, take turns at the stages.
#pragma once

#include "algorithm/limits.none.cuh"
#include "block/start.plain.cuh"
#include "block/storage.dynamic.cuh"
#include "kernel/scan.lookahead.cuh"
#include "parameters.cuh"
#include "pipeline/arrays.single.cuh"

struct TurnsStorage {
  SharedStorage ring;
  PhaseBarrier known[stages];  // the tile of the stage is claimed
  u32 tile[stages];
  SampledOffsets samples;
};

static_assert(shared_bytes == 0 || sizeof(TurnsStorage) == shared_bytes, "the generator counted otherwise");

// As init_barriers does, but a stage is full once its items have arrived and the filler is done with it.
__device__ __forceinline__ void init_turns(TurnsStorage& shared) {
  SharedStorage& ring = shared.ring;
  for (int s = 0; s < stages; ++s) {
    init_barrier(&shared.known[s], 1);
    init_barrier(&ring.full[s], fill_arrivals + 1);
    init_barrier(&ring.empty[s], worker_warps);
  }
  for (int s = 0; s < slots; ++s) {
    init_barrier(&ring.folded[s], worker_warps);
    init_barrier(&ring.published[s], warp_size);
    init_barrier(&ring.looked_ahead[s], warp_size);
  }
  init_samples(shared.samples);
  prepare_fill();
}

// Tells the filler whose turn it is of the stage's tile, by lane 0.
__device__ __forceinline__ void hand_over(TurnsStorage& shared, int stage, u32 tile) {
  shared.tile[stage] = tile;
  arrive(&shared.known[stage]);
}

// ---- The loader warp: claims tiles by tickets, each for the next free stage, until there are no more.
__device__ __forceinline__ void claim_tiles(const Span& span, Workspace* workspace, TurnsStorage& shared) {
  SharedStorage& ring = shared.ring;
  const u32 own_tickets = tickets_per_block(span.tiles), tickets = own_tickets * grid_size();
  Cursor<stages> stage;
  u32 epoch = 0, done = 0;
  u64 ticket = 0;
  if (lane_index() == 0) ticket = take_ticket(workspace, 0);
  for (;; ++done, stage.advance()) {
    if (done >= stages) await_phase(&ring.empty[stage.at], stage.parity ^ 1);
    const Claim claim = claim_of(shuffle(ticket, 0));
    const u32 tile = tile_of_ticket(claim, done);
    if (lane_index() == 0) {
      if (done == 0) ring.epoch = epoch = claim.epoch;
      if (done < own_tickets) settle_claim(workspace, claim, epoch, 1, tickets, span.tiles);
      // A block that finds no more tiles takes the rest of its tickets at once.
      const u32 left = own_tickets - (done + 1);
      if (done < own_tickets && tile >= span.tiles && left > 0) {
        settle_claim(workspace, claim_of(take_tickets(workspace, left)), epoch, left, tickets, span.tiles);
      }
      ring.claimed[stage.at] = tile;
    }
    if (tile >= span.tiles) break;
    if (lane_index() == 0) hand_over(shared, stage.at, tile);
    // Asked for long before the answer is needed.
    ticket = u64(epochs) << 32 | span.tiles;
    if (lane_index() == 0 && done + 1 < own_tickets) ticket = take_ticket(workspace, done + 1);
  }
  leave_stage_empty(&ring.full[stage.at]);
  if (lane_index() == 0) arrive(&ring.full[stage.at]);
  // Each filler learns that there are no more, once the stage of its turn is filled.
  for (int i = 0; i < filler_warps; ++i, ++done, stage.advance()) {
    if (i > 0 && done >= stages) await_phase(&ring.full[stage.at], stage.parity ^ 1);
    if (lane_index() == 0) hand_over(shared, stage.at, span.tiles);
  }
}

// ---- Fillers: each fills every filler_warps-th stage.
__device__ __forceinline__ void fill_in_turns(const Span& span, int filler, TurnsStorage& shared) {
  Cursor<stages> stage;
  for (int i = 0; i < filler; ++i) stage.advance();
  for (;;) {
    await_phase(&shared.known[stage.at], stage.parity);
    const u32 tile = shuffle(lane_index() == 0 ? shared.tile[stage.at] : 0, 0);
    if (tile >= span.tiles) return;
    Parts& item = shared.ring.stage[stage.at].item;
    PhaseBarrier* const full = &shared.ring.full[stage.at];
    fill_stage(item, span, tile, full);
    mark_in_turn(item, span, tile, load_tile_offsets(span, tile, shared.samples), full);
    for (int i = 0; i < filler_warps; ++i) stage.advance();
  }
}

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const PassedScalars passed = passed_scalars(arguments);
  Workspace* const workspace = arguments.workspace;
  TurnsStorage& shared = block_storage<TurnsStorage>();
  announce_start();
  if (thread_index() == 0) {
    init_turns(shared);
    prefetch_arrays(arguments, block_index());  // some block's first
  }
  block_barrier();
  await_previous_kernel();
  if (items_of(arguments) == 0) return;
  const Span span = span_of_arrays(arguments);
  const int role = warp_index() - worker_warps;
  if (role < 0) {
    take_samples(span.range, shared.samples);
    scan_tiles(span, read_scalars(passed), shared.ring);
  } else if (role == 0) {
    claim_tiles(span, workspace, shared);
  } else if (role == 1) {
    publish_aggregates(span, workspace, shared.ring);
  } else if (role == 2) {
    carry_prefixes(span, workspace, arguments, initial_of(read_scalars(passed)), shared.ring);
  } else {
    fill_in_turns(span, role - 3, shared);
  }
}
