// Folds of segments by blocks that stay and warps that each do one thing:
//   fillers    load the tiles of the block's shares into a ring of stages, in turns, and mark where segments begin
//   workers    fold a tile, `reduce_ahead` tiles ahead, and leave the totals of the segments that end in it; complete
//              them once they know what comes before, and write the results
//   carry      folds the totals of the workers' warps onto a running prefix
// The tiles are cut into shares of neighbouring ones: one for each block, which are a third of all tiles, and then
// smaller ones. A block takes shares one after the other, so that blocks that have many ends of segments, or slow
// memory, take fewer. A segment that began in an earlier share is completed by the last block to finish.
#pragma once

#include "algorithm/limits.segments.cuh"
#include "block/start.plain.cuh"
#include "block/storage.dynamic.cuh"
#include "grid/segment_shares.cuh"
#include "kernel/scan.lookahead.cuh"
#include "parameters.cuh"
#include "pipeline/without_items.cuh"

// A block's first shares need no claim.
constexpr u32 shares_ahead = 4;

// Claimed shares that are not taken yet, or that a filler still reads: fillers are at most so many turns apart.
constexpr int claims = stages + filler_warps + int(shares_ahead) + 1;

struct PiecesStorage {
  SharedStorage ring;
  BlockScanStorage scan;
  PhaseBarrier known[claims];
  u32 claimed[claims];  // share
  SampledOffsets samples;
  bool last;
};

static_assert(shared_bytes == 0 || sizeof(PiecesStorage) == shared_bytes, "the generator counted otherwise");

__device__ __forceinline__ void init_pieces(PiecesStorage& pieces) {
  SharedStorage& ring = pieces.ring;
  for (int s = 0; s < stages; ++s) {
    init_barrier(&ring.full[s], fill_arrivals + 1);  // once its items have arrived and the filler is done with it
    init_barrier(&ring.empty[s], worker_warps);
  }
  for (int s = 0; s < slots; ++s) {
    init_barrier(&ring.folded[s], worker_warps);
    init_barrier(&ring.looked_ahead[s], warp_size);
  }
  for (int c = 0; c < claims; ++c) init_barrier(&pieces.known[c], 1);
  init_samples(pieces.samples);
  prepare_fill();
}

// `blocks` shares of `first_size` tiles, and behind them shares of `size` tiles, of which the last may have fewer.
struct Shares {
  u32 tiles, blocks;
  u32 first_size, size;
  u32 count;
};

__device__ __forceinline__ Shares shares_of(u32 tiles) {
  const u32 blocks = tiles < grid_size() ? tiles : grid_size(), third = tiles / 3 / blocks,
            first = third > 0 ? third : 1;
  const u32 others = tiles - blocks * first, most = shares_per_block * blocks;
  const u32 size = others > 0 ? (others + most - 1) / most : 1;
  return {tiles, blocks, first, size, blocks + (others + size - 1) / size};
}

// The first tile of a share; that behind all tiles if there is no such share.
__device__ __forceinline__ u32 begin_of_share(const Shares& shares, u32 share) {
  if (share >= shares.count) return shares.tiles;
  if (share <= shares.blocks) return share * shares.first_size;
  return shares.blocks * shares.first_size + (share - shares.blocks) * shares.size;
}

// ---- Fillers: each fills every filler_warps-th stage. The one with the first tile of a share claims another one, once
// the one before is claimed: so a block's shares ascend. There is no share from number shares.count on.
__device__ __forceinline__ u32 claim_share(const Shares& shares, Workspace* workspace) {
  const u32 unclaimed = shares_ahead * shares.blocks;
  return shares.count > unclaimed ? unclaimed + add_relaxed(&header_of(workspace)->claimed, 1u) : shares.count;
}

// The share that the block takes after `turn` others.
__device__ __forceinline__ u32 share_in_turn(const Shares& shares, u32 turn, PiecesStorage& pieces) {
  if (turn < shares_ahead) return turn * shares.blocks + block_index();
  const u32 at = turn - shares_ahead;
  await_phase(&pieces.known[at % claims], at / claims & 1);
  return shuffle(lane_index() == 0 ? pieces.claimed[at % claims] : 0, 0);
}

// What a block does after `done` tiles: tile number `within` of the share that it takes after `turn` others.
struct Step {
  u32 turn, within;
  u32 share, begin, end;  // and its tiles

  __device__ __forceinline__ bool has_tile() const { return within < end - begin; }
};

// At the begin of a share, tells which one the block takes shares_ahead turns later. Shares are claimed in their order.
__device__ __forceinline__ void claim_next(const Shares& shares, const Step& step, Workspace* workspace,
                                           PiecesStorage& pieces) {
  if (step.within > 0) return;
  (void)share_in_turn(shares, step.turn + shares_ahead - 1, pieces);
  if (lane_index() > 0) return;
  pieces.claimed[step.turn % claims] = claim_share(shares, workspace);
  arrive(&pieces.known[step.turn % claims]);
}

__device__ __forceinline__ Step step_after(const Shares& shares, u32 done, PiecesStorage& pieces) {
  const u32 others = done - shares.first_size;
  const bool is_first = done < shares.first_size;
  const u32 turn = is_first ? 0 : 1 + others / shares.size, within = is_first ? done : others % shares.size;
  const u32 share = share_in_turn(shares, turn, pieces);
  return {turn, within, share, begin_of_share(shares, share), begin_of_share(shares, share + 1)};
}

// Fills a stage. `is_free`: it has held no tile yet.
__device__ __forceinline__ void fill_step(const Span& span, const Shares& shares, const Step& step, bool is_free,
                                          const Cursor<stages>& stage, PiecesStorage& pieces) {
  Parts& item = pieces.ring.stage[stage.at].item;
  PhaseBarrier* const full = &pieces.ring.full[stage.at];
  const u32 tile = step.begin + step.within;
  if (is_free) fill_stage(item, span, tile, full);
  const TileOffsets offsets = load_tile_offsets(span, tile, pieces.samples);
  claim_next(shares, step, span.workspace, pieces);
  if (!is_free) {
    await_phase(&pieces.ring.empty[stage.at], stage.parity ^ 1);
    fill_stage(item, span, tile, full);
  }
  if (lane_index() == 0) {
    pieces.ring.claimed[stage.at] = tile;
    item.share = {index_of_place(span, step.begin, extent_of(span, step.begin).begin),
                  slot_of(slots_of(span.workspace, span.shares), step.share), step.within == 0, tile + 1 == step.end};
  }
  mark_in_turn(item, span, tile, offsets, full);
}

__device__ __forceinline__ void fill_shares(const Span& span, const Shares& shares, int filler, PiecesStorage& pieces) {
  SharedStorage& ring = pieces.ring;
  Cursor<stages> stage;
  for (int i = 0; i < filler; ++i) stage.advance();
  for (u32 done = u32(filler);; done += filler_warps) {
    const Step step = step_after(shares, done, pieces);
    if (!step.has_tile()) {
      claim_next(shares, step, span.workspace, pieces);
      if (done >= stages) await_phase(&ring.empty[stage.at], stage.parity ^ 1);
      if (lane_index() == 0) ring.claimed[stage.at] = span.tiles;
      leave_stage_empty(&ring.full[stage.at]);
      if (lane_index() == 0) arrive(&ring.full[stage.at]);
      return;
    }
    fill_step(span, shares, step, done < stages, stage, pieces);
    for (int i = 0; i < filler_warps; ++i) stage.advance();
  }
}

// ---- The carry warp: tells the workers what comes before each of their warps, within the share. Leaves the totals of
// shares.
__device__ __forceinline__ void carry_within_shares(const Span& span, SharedStorage& ring) {
  const int lane = lane_index();
  const ShareSlots shares = slots_of(span.workspace, span.shares);
  Accumulator running;
  Cursor<slots> slot;
  for (Cursor<stages> stage;; stage.advance(), slot.advance()) {
    await_phase(&ring.full[stage.at], stage.parity);
    const u32 tile = tile_in(ring, stage.at);
    if (tile >= span.tiles) return;
    const ShareOfTile share = ring.stage[stage.at].item.share;
    const bool has_running = !share.begins;
    const int warps = active_warps(extent_of(span, tile));
    if (!has_running && lane == 0) leave_open(shares, share.slot, {});
    await_phase(&ring.folded[slot.at], slot.parity);
    Local total;
    if (lane < warps) total = ring.warp_total[slot.at][lane];
    const Local inclusive = warp_scan<false>(total, warps);
    const Local exclusive = shuffle_up(inclusive, 1);
    if (lane < warps && (lane > 0 || has_running)) {
      const Accumulator before = lane == 0 ? running : widen(exclusive);
      ring.warp_carry[slot.at][lane] = lane > 0 && has_running ? combine(running, before) : before;
    }
    arrive(&ring.looked_ahead[slot.at]);
    const Accumulator of_tile = widen(shuffle(inclusive, warps - 1));
    running = has_running ? combine(running, of_tile) : of_tile;
    if (share.ends && lane == 0) leave_total(shares, share.slot, running);
  }
}

// By the last block to finish.
__device__ __forceinline__ void finish_shares(const Arguments& arguments, const Span& span, const Scalars& scalars,
                                              BlockScanStorage& storage) {
  finish_open(arguments, slots_of(span.workspace, span.shares), scalars, storage);
  if (thread_index() > 0) return;
  SharesHeader* const header = header_of(span.workspace);
  store_relaxed(&header->claimed, 0u);
  store_relaxed(&header->finished, 0u);
}

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const PassedScalars passed = passed_scalars(arguments);
  PiecesStorage& shared = block_storage<PiecesStorage>();
  announce_start();
  if (thread_index() == 0) init_pieces(shared);
  block_barrier();
  await_previous_kernel();
  const Scalars scalars = read_scalars(passed);
  if (items_of(arguments) == 0) {
    finish_without_items(arguments, scalars);
    return;
  }
  Span span = span_of_arrays(arguments);
  const Shares shares = shares_of(span.tiles);
  span.shares = shares.count;
  span.workspace = arguments.workspace;
  if (block_index() >= shares.blocks) return;
  const int role = warp_index() - worker_warps;
  if (role < 0) {
    take_samples(span.range, shared.samples);
    scan_tiles(span, scalars, shared.ring);
  } else if (role == 0) {
    carry_within_shares(span, shared.ring);
  } else {
    fill_shares(span, shares, role - 1, shared);
  }
  if (shares.count == 1) return;
  block_barrier();
  if (thread_index() == 0) shared.last = finishes_last(span.workspace, shares.blocks);
  block_barrier();
  if (shared.last) finish_shares(arguments, span, scalars, shared.scan);
}
