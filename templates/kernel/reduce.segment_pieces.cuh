// Folds of segments by blocks that stay and warps that each do one thing:
//   fillers    load the tiles of the block's shares into a ring of stages, in turns, and mark where segments begin
//   workers    fold a tile, `reduce_ahead` tiles ahead, and leave the totals of the segments that end in it; complete
//              them once they know what comes before, and write the results
//   carry      folds the totals of the workers' warps onto a running prefix
// The tiles are cut into shares of neighbouring ones: one for each block, which are a third of all tiles, and smaller
// ones. A block takes shares one after the other, so that blocks that have many ends of segments, or slow memory, take
// fewer. At its end, a block completes the segments that began in an earlier share and end in its own.
#pragma once

#include "algorithm/limits.segments.cuh"
#include "block/start.plain.cuh"
#include "block/storage.dynamic.cuh"
#include "grid/segment_lookback.cuh"
#include "kernel/scan.lookahead.cuh"
#include "parameters.cuh"
#include "pipeline/without_items.cuh"

// So many shares of a block are known at a time: its first one, and others that it claims together when it starts.
constexpr u32 shares_ahead = 4;

// Claimed shares that are not taken yet, or that a filler still reads: fillers are at most so many turns apart.
constexpr int claims = stages + filler_warps + int(shares_ahead) + 1;

// Shares of a block that are completed together.
constexpr int most_taken = 128;

// What blocks count beside their tickets, at the end of the workspace's header.
struct ShareCounters {
  u32 claimed;   // small shares
  u32 finished;  // blocks that claim no more
};

static_assert(sizeof(Workspace) >= 128, "the header has room for more");

__device__ __forceinline__ ShareCounters* counters_of(Workspace* workspace) {
  return reinterpret_cast<ShareCounters*>(workspace + 1) - 1;
}

struct PiecesStorage {
  SharedStorage ring;
  BlockScanStorage scan;
  PhaseBarrier known[claims];
  PhaseBarrier started;  // `block`, `first_claimed` and ring.epoch are known
  u32 claimed[claims];   // share
  u32 taken[most_taken];
  u32 unknown[most_taken / warp_size];
  int taken_shares;
  u32 block;  // its number: that of its ticket
  u32 first_claimed;
  SampledOffsets samples;
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
  init_barrier(&pieces.started, 1);
  init_samples(pieces.samples);
  prepare_fill();
}

// `small` shares of `size` tiles, of which the last may have fewer, and behind them one of `first_size` for each block.
// A block takes that one first, by its ticket, and then claims small ones. So the shares before any share of a block
// are those of blocks that run already, once all small ones are claimed.
struct Shares {
  u32 tiles, blocks;
  u32 first_size, size;
  u32 small, count;
  u32 block;          // number of this block
  u32 first_claimed;  // the first share that it claims
};

__device__ __forceinline__ Shares shares_of(u32 tiles) {
  const u32 blocks = tiles < grid_size() ? tiles : grid_size(), third = tiles / 3 / blocks,
            first = third > 0 ? third : 1;
  const u32 others = tiles - blocks * first, most = shares_per_block * blocks;
  const u32 size = others > 0 ? (others + most - 1) / most : 1, small = (others + size - 1) / size;
  return {tiles, blocks, first, size, small, small + blocks, 0, 0};
}

// The first tile of a share; that behind all tiles if there is no such share.
__device__ __forceinline__ u32 begin_of_share(const Shares& shares, u32 share) {
  if (share < shares.small) return share * shares.size;
  return share >= shares.count ? shares.tiles : shares.tiles - (shares.count - share) * shares.first_size;
}

// ---- Fillers: each fills every filler_warps-th stage. The one with the first tile of a share claims another one, once
// the one before is claimed: so the small shares of a block ascend. A number from shares.small on is of no share.
__device__ __forceinline__ u32 claim_shares(const Shares& shares, u32 count, Workspace* workspace) {
  return shares.small > 0 ? add_relaxed(&counters_of(workspace)->claimed, count) : 0;
}

// The share that the block takes after `turn` others, or shares.count if all shares are taken.
__device__ __forceinline__ u32 share_in_turn(const Shares& shares, u32 turn, PiecesStorage& pieces) {
  if (turn == 0) return shares.small + shares.block;
  u32 claimed = shares.first_claimed + turn - 1;
  if (turn >= shares_ahead) {
    const u32 at = turn - shares_ahead;
    await_phase(&pieces.known[at % claims], at / claims & 1);
    claimed = shuffle(lane_index() == 0 ? pieces.claimed[at % claims] : 0, 0);
  }
  return claimed < shares.small ? claimed : shares.count;
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
  pieces.claimed[step.turn % claims] = claim_shares(shares, 1, workspace);
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
    item.share = {index_of_place(span, step.begin, extent_of(span, step.begin).begin), step.share, step.within == 0,
                  tile + 1 == step.end};
  }
  mark_in_turn(item, span, tile, offsets, full);
}

__device__ __forceinline__ void fill_shares(const Span& span, Shares shares, int filler, PiecesStorage& pieces) {
  SharedStorage& ring = pieces.ring;
  await_phase(&pieces.started, 0);
  shares.block = pieces.block;
  shares.first_claimed = pieces.first_claimed;
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

// ---- The carry warp: tells the workers what comes before each of their warps, within the share. Publishes the totals
// of shares.

// Where a block has taken many shares, because others have not begun yet: completes the open segments of small ones
// whose tiles the workers are done with. Keeps the first share, which is behind all small ones, and the last ones.
// Returns how many these are. It hardly ever runs, so that its code is kept out of the loop's.
__device__ __noinline__ int complete_some(const Arguments& arguments, Scalars scalars, PiecesStorage& pieces) {
  constexpr int last = warp_size;
  static_assert(last > stages + slots, "the workers are not further behind");
  const u32 epoch = pieces.ring.epoch;
  warp_barrier();  // lane 0 has listed all shares
#pragma unroll 1
  for (int first = 1; first + last <= most_taken; first += warp_size) {
    const int i = first + lane_index();
    const bool is_open = i + last < most_taken && leaves_open(arguments, epoch, pieces.taken[i], near_shares, scalars);
    const u32 lanes = warp_ballot(is_open);
#pragma unroll 1
    for (int k = 0; k < warp_size; ++k) {
      if ((lanes >> k & 1) == 0) continue;
      const u32 share = pieces.taken[first + k];
      const Accumulator before = look_back_far_by_warp(arguments.workspace, epoch, share);
      if (lane_index() == 0) finish_open(arguments, share, before, scalars);
    }
  }
  const u32 share = pieces.taken[most_taken - last + lane_index()];
  warp_barrier();
  pieces.taken[1 + lane_index()] = share;
  warp_barrier();
  return 1 + last;
}

__device__ __forceinline__ void carry_within_shares(const Arguments& arguments, const Span& span,
                                                    const Scalars& scalars, PiecesStorage& pieces) {
  SharedStorage& ring = pieces.ring;
  const int lane = lane_index();
  int taken = 0;
  Accumulator running;
  Cursor<slots> slot;
  for (Cursor<stages> stage;; stage.advance(), slot.advance()) {
    await_phase(&ring.full[stage.at], stage.parity);
    const u32 tile = tile_in(ring, stage.at);
    if (tile >= span.tiles) break;
    const ShareOfTile share = ring.stage[stage.at].item.share;
    const bool has_running = !share.begins;
    const int warps = active_warps(extent_of(span, tile));
    if (!has_running && taken == most_taken) taken = complete_some(arguments, scalars, pieces);
    if (!has_running && lane == 0) {
      pieces.taken[taken] = share.number;
      leave_none_open(span.workspace, share.number);
    }
    if (!has_running) ++taken;
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
    if (share.ends && lane == 0) publish_total(span.workspace, ring.epoch, share.number, running);
  }
  if (lane == 0) pieces.taken_shares = taken;
}

// Takes the block's ticket, and claims its next shares, by one thread.
__device__ __forceinline__ void start_block(const Shares& shares, Workspace* workspace, PiecesStorage& pieces) {
  pieces.first_claimed = claim_shares(shares, shares_ahead - 1, workspace);
  const Claim claim = claim_of(take_tickets(workspace, 1));
  pieces.block = claim.number;
  pieces.ring.epoch = claim.epoch;
  arrive(&pieces.started);
  settle_claim(workspace, claim, claim.epoch, 1, shares.blocks, 2 * shares.count);
}

// By one thread, when the block claims no more.
__device__ __forceinline__ void finish_claims(Workspace* workspace, u32 blocks) {
  ShareCounters* const counters = counters_of(workspace);
  const u32 finished = add_acquire_release(&counters->finished, 1);
  if (finished >= blocks) abort_kernel();  // another launch counts at the same time in the same workspace
  if (finished + 1 < blocks) return;
  store_relaxed(&counters->claimed, 0u);
  store_relaxed(&counters->finished, 0u);
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
  span.workspace = arguments.workspace;
  if (block_index() >= shares.blocks) return;
  const int role = warp_index() - worker_warps;
  if (role < 0) {
    take_samples(span.range, shared.samples);
    scan_tiles(span, scalars, shared.ring);
  } else if (role == 0) {
    if (lane_index() == 0) start_block(shares, span.workspace, shared);
    carry_within_shares(arguments, span, scalars, shared);
  } else {
    fill_shares(span, shares, role - 1, shared);
  }
  if (shares.count == 1) return;
  block_barrier();
  if (thread_index() + 1 == threads_per_block) finish_claims(span.workspace, shares.blocks);
  complete_open_segments<most_taken>(arguments, shared.ring.epoch, shared.taken, shared.taken_shares, scalars,
                                     shared.unknown, shared.scan);
}
