// Single-pass scan by blocks that stay and warps that each do one thing:
//   loader      claims tiles and loads them into a ring of stages, as far ahead as stages are free
//   workers     fold a tile, `reduce_ahead` tiles ahead; scan it in its stage once its exclusive prefix is known; store
//               its results
//   publisher   scans the totals of the workers' warps, and publishes the tile's aggregate
//   look-ahead  folds the aggregates of all tiles since the block's previous one onto a running prefix
// Tiles publish aggregates only, never prefixes: no tile waits for the exchange of another.
#pragma once

#include "algorithm/start.initial.cuh"
#include "pipeline/cursor.cuh"
#include "pipeline/phase.suspend.cuh"
#include "block/start.plain.cuh"
#include "block/storage.dynamic.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "grid/claim.ticket.cuh"
#include "pipeline/store.bulk.cuh"
#include "pipeline/fill.bulk.cuh"
#include "pipeline/kept.none.cuh"
#include "grid/look_ahead.rows.cuh"
#include "pipeline/results.in_place.cuh"
#include "pipeline/share.cuh"
#include "pipeline/span.cuh"
#include "pipeline/stage.single.cuh"
#include "pipeline/scan_and_store.dense.cuh"
#include "grid/workspace.cuh"
#include "warp/scan.kogge_stone.cuh"

// Tiles that are in exchange at the same time: those that are folded and wait to be scanned, and the one that is
// scanned.
constexpr int slots = reduce_ahead + 1;

struct SharedStorage {
  Stage stage[stages];
  ResultStorage results;
  PhaseBarrier full[stages];         // the tile of the stage is claimed and its items have arrived
  PhaseBarrier empty[stages];        // the workers are done with the stage
  PhaseBarrier folded[slots];        // warp_total holds each warp's total
  PhaseBarrier published[slots];     // warp_total holds, for each warp but the lowest, the fold of the lower warps; for
                                     // the lowest, the total of the last tile, if something is written at the end
  PhaseBarrier looked_ahead[slots];  // warp_carry holds the exclusive prefix of each warp
  Local warp_total[slots][worker_warps];
  Accumulator warp_carry[slots][worker_warps];
  u32 claimed[stages];  // tile
  u32 epoch;
};

__device__ __forceinline__ void init_barriers(SharedStorage& shared) {
  for (int s = 0; s < stages; ++s) {
    init_barrier(&shared.full[s], fill_arrivals);
    init_barrier(&shared.empty[s], worker_warps);
  }
  for (int s = 0; s < slots; ++s) {
    init_barrier(&shared.folded[s], worker_warps);
    init_barrier(&shared.published[s], warp_size);
    init_barrier(&shared.looked_ahead[s], warp_size);
  }
  prepare_fill();
}

__device__ __forceinline__ int active_warps(const Extent& extent) {
  return (active_workers(extent) + warp_size - 1) / warp_size;
}

// The tile in a stage. Only lane 0 reads it: that lane gives the stage back.
__device__ __forceinline__ u32 tile_in(const SharedStorage& shared, int stage) {
  return shuffle(lane_index() == 0 ? shared.claimed[stage] : 0, 0);
}

// ---- The loader warp: claims tiles by tickets, and loads each into the next free stage, until there are no more.
__device__ __forceinline__ void load_tiles(const Span& span, Workspace* workspace, SharedStorage& shared) {
  const u32 own_tickets = tickets_per_block(span.tiles), tickets = own_tickets * grid_size();
  Cursor<stages> stage;
  u32 epoch = 0;
  u64 ticket = 0;
  if (lane_index() == 0) ticket = take_ticket(workspace, 0);
  for (u32 done = 0;; ++done, stage.advance()) {
    if (done >= stages) await_phase(&shared.empty[stage.at], stage.parity ^ 1);
    const Claim claim = claim_of(shuffle(ticket, 0));
    u32 tile = tile_of_ticket(claim, done);
    if (lane_index() == 0) {
      if (done == 0) shared.epoch = epoch = claim.epoch;
      if (done < own_tickets) settle_claim(workspace, claim, epoch, 1, tickets, span.tiles);
      // A block that finds no more tiles takes the rest of its tickets at once.
      const u32 left = own_tickets - (done + 1);
      if (done < own_tickets && tile >= span.tiles && left > 0) {
        settle_claim(workspace, claim_of(take_tickets(workspace, left)), epoch, left, tickets, span.tiles);
      }
      shared.claimed[stage.at] = tile;
    }
    if (tile >= span.tiles) {
      leave_stage_empty(&shared.full[stage.at]);
      return;
    }
    fill_stage(shared.stage[stage.at].item, span, tile, &shared.full[stage.at]);
    // Asked for long before the answer is needed.
    ticket = u64(epochs) << 32 | span.tiles;
    if (lane_index() == 0 && done + 1 < own_tickets) ticket = take_ticket(workspace, done + 1);
  }
}

// ---- The publisher warp: for each tile, scans the totals of the warps, and publishes the aggregate of the tile.
__device__ __forceinline__ void publish_aggregates(const Span& span, Workspace* workspace, SharedStorage& shared) {
  const int lane = lane_index();
  Cursor<slots> slot;
  for (Cursor<stages> stage;; stage.advance(), slot.advance()) {
    await_phase(&shared.full[stage.at], stage.parity);
    const u32 tile = tile_in(shared, stage.at);
    if (tile >= span.tiles) return;
    const int warps = active_warps(extent_of(span, tile));
    await_phase(&shared.folded[slot.at], slot.parity);
    Local total;
    if (lane < warps) total = shared.warp_total[slot.at][lane];
    const Local inclusive = warp_scan<false>(total, warps);
    const Local exclusive = shuffle_up(inclusive, 1);
    if (replaces_items(span)) fence_device();  // the tile's loads come before what is published
    if (lane == warps - 1) publish(descriptors(workspace) + tile, shared.epoch, aggregate, inclusive);
    if (lane > 0 && lane < warps) shared.warp_total[slot.at][lane] = exclusive;
    if (finishes && tile == span.tiles - 1) {
      const Local of_tile = shuffle(inclusive, warps - 1);
      if (lane == 0) shared.warp_total[slot.at][0] = of_tile;
    }
    arrive(&shared.published[slot.at]);
  }
}

// ---- The look-ahead warp: for each tile, folds the aggregates of the tiles before onto a running prefix, and tells
// the workers the exclusive prefix of each of their warps.
__device__ __forceinline__ void carry_prefixes(const Span& span, Workspace* workspace, const Arguments& arguments,
                                               Accumulator initial, SharedStorage& shared) {
  const int lane = lane_index();
  Accumulator running = initial;
  u32 folded = 0;  // tiles in `running`
  Cursor<slots> slot;
  for (Cursor<stages> stage;; stage.advance(), slot.advance()) {
    await_phase(&shared.full[stage.at], stage.parity);
    const u32 tile = tile_in(shared, stage.at);
    if (tile >= span.tiles) return;
    const int warps = active_warps(extent_of(span, tile));
    look_ahead(workspace, shared.epoch, folded, tile, has_initial || folded > 0, running);
    folded = tile;
    await_phase(&shared.published[slot.at], slot.parity);
    if (replaces_items(span)) fence_device();  // the loads of the tiles before come before the block's stores
    const bool has_running = has_initial || tile > 0;
    if (finishes && tile == span.tiles - 1 && lane == 0) {
      const Accumulator of_tile = widen(shared.warp_total[slot.at][0]);
      finish_tiles(arguments, true, has_running ? combine(running, of_tile) : of_tile);
    }
    if (lane < warps) {
      const Accumulator exclusive = lane == 0 ? running : widen(shared.warp_total[slot.at][lane]);
      shared.warp_carry[slot.at][lane] = lane > 0 && has_running ? combine(running, exclusive) : exclusive;
    }
    arrive(&shared.looked_ahead[slot.at]);
  }
}

// ---- Workers: the fold of a tile. `exclusive` becomes the thread's exclusive prefix within the warp (untouched in
// lane 0), `kept` what else its scan needs. Returns false if the tile is beyond the last one.
__device__ __forceinline__ bool fold_tile(const Span& span, const Scalars& scalars, Cursor<stages>& stage,
                                          Cursor<slots>& slot, Local& exclusive, Kept& kept, SharedStorage& shared) {
  await_phase(&shared.full[stage.at], stage.parity);
  const u32 tile = tile_in(shared, stage.at);
  if (tile >= span.tiles) return false;
  const Extent extent = extent_of(span, tile);
  const Places items = shared.stage[stage.at].item + thread_index() * thread_items;
  const int lane = lane_index(), warp = warp_index();
  kept = {};
  Local inclusive;
  int last = warp_size - 1;
  if (extent.begin == 0 && extent.end == tile_places) {
    inclusive = warp_scan<true>(fold_share<true>(span, tile, items, 0, thread_items, scalars, kept), warp_size);
  } else {
    const Share share = share_of(extent);
    const int active = share.threads - warp * warp_size;
    Local own;
    if (lane < active) own = fold_share<false>(span, tile, items, share.begin, share.end, scalars, kept);
    inclusive = warp_scan<false>(own, active);
    if (active < warp_size) last = active > 0 ? active - 1 : 0;
  }
  exclusive = shuffle_up(inclusive, 1);
  if (lane == last) {
    shared.warp_total[slot.at][warp] = inclusive;  // not read where no lane has an item
    arrive(&shared.folded[slot.at]);
  }
  stage.advance();
  slot.advance();
  return true;
}

// ---- Workers: fold tiles `reduce_ahead` tiles ahead, and scan and store each once its prefix is known.
__device__ __forceinline__ void scan_tiles(const Span& span, const Scalars& scalars, SharedStorage& shared) {
  // Bulk stores still read the stage: it is given back after the next tile.
  constexpr bool release_later = stores_are_asynchronous && results_in_stage;
  Cursor<stages> stage_ahead, stage;
  Cursor<slots> slot_ahead, slot;
  Local exclusive[slots];
  Kept kept[slots];
  u32 ahead = 0;  // tiles folded
  bool more = true;
#pragma unroll
  for (int k = 0; k < reduce_ahead; ++k) {
    if (more) more = fold_tile(span, scalars, stage_ahead, slot_ahead, exclusive[k], kept[k], shared);
    ahead += more;
  }
  PhaseBarrier* unreleased = nullptr;  // of the stage before
  for (u32 done = 0;; ++done) {
    if (more)
      more = fold_tile(span, scalars, stage_ahead, slot_ahead, exclusive[reduce_ahead], kept[reduce_ahead], shared);
    ahead += more;
    if (done == ahead) break;

    await_stores_read();
    if (unreleased != nullptr && lane_index() == 0) arrive(unreleased);
    await_phase(&shared.looked_ahead[slot.at], slot.parity);
    const StageItems items = shared.stage[stage.at].item;
    scan_and_store_tile(span, tile_in(shared, stage.at), items, results_of(items, shared.results), scalars,
                        exclusive[0], shared.warp_carry[slot.at][warp_index()], kept[0]);
    PhaseBarrier* const own = &shared.empty[stage.at];
    if (release_later) {
      unreleased = own;
    } else if (lane_index() == 0) {
      arrive(own);
    }
    stage.advance();
    slot.advance();
#pragma unroll
    for (int k = 0; k < reduce_ahead; ++k) {
      exclusive[k] = exclusive[k + 1];
      kept[k] = kept[k + 1];
    }
  }
  await_stores_read();
}
