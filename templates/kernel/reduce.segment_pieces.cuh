// Folds of segments by blocks that stay and warps that each do one thing:
//   fillers    load the tiles of the block's share into a ring of stages, in turns, and mark where segments begin
//   workers    fold a tile, `reduce_ahead` tiles ahead, and leave the totals of the segments that end in it; complete
//              them once they know what comes before, and write the results
//   carry      folds the totals of the workers' warps onto a running prefix
// Each block has a share of the tiles, one behind the other, of items and ends of segments that take about equally
// long. A segment that began in an earlier share is completed by the last block to finish.
#pragma once

#include "algorithm/limits.segments.cuh"
#include "block/start.plain.cuh"
#include "block/storage.dynamic.cuh"
#include "grid/segment_shares.cuh"
#include "kernel/scan.lookahead.cuh"
#include "parameters.cuh"
#include "pipeline/without_items.cuh"

struct PiecesStorage {
  SharedStorage ring;
  BlockScanStorage scan;
  Accumulator total;         // of the share
  u32 first_tile, end_tile;  // of the share
  bool last;
};

static_assert(shared_bytes == 0 || sizeof(PiecesStorage) == shared_bytes, "the generator counted otherwise");

__device__ __forceinline__ void init_pieces(SharedStorage& ring) {
  for (int s = 0; s < stages; ++s) {
    init_barrier(&ring.full[s], fill_arrivals + 1);  // once its items have arrived and the filler is done with it
    init_barrier(&ring.empty[s], worker_warps);
  }
  for (int s = 0; s < slots; ++s) {
    init_barrier(&ring.folded[s], worker_warps);
    init_barrier(&ring.looked_ahead[s], warp_size);
  }
  prepare_fill();
  no_open_segment(ring.results);
}

// The first tile of a block's share, by all lanes of a warp. Each block has one tile, and those that are left are
// shared by how long their items and the segments that end in them take. Offsets that are wrong are taken for possible
// ones.
__device__ __forceinline__ u32 first_tile_of(const Span& span, u32 block, u32 blocks) {
  constexpr u64 end_items = 5;  // the end of a segment takes as long as so many items
  if (block == 0 || block == blocks) return block == 0 ? 0 : span.tiles;
  const u64 items = span.end - span.begin, ends = span.range.end - 1, all = items + end_items * ends;
  const u64 place = all / blocks * block + all % blocks * block / blocks;
  const auto item_of_end = [&](u64 i) {
    const u64 offset = offset_at(span.range, i + 1), item = offset > span.first ? offset - span.first : 0;
    return item < items ? item : items;
  };
  const u64 before =
      find_place_near(ends / blocks * block, 0, ends, [&](u64 i) { return item_of_end(i) + end_items * i < place; });
  // Of many ends at one item, none leads back to an earlier one: a later block would have an earlier tile.
  const u64 past = end_items * before, least = before > 0 ? item_of_end(before - 1) : 0;
  u64 item = place > past ? place - past : 0;
  if (item < least) item = least;
  const u64 tile = (span.begin + (item < items ? item : items)) / tile_places;
  return block + u32(tile * (span.tiles - blocks) / span.tiles);
}

// ---- Fillers: each fills every filler_warps-th stage with a tile of the share, which has `tiles`.
__device__ __forceinline__ void fill_share(const Span& span, int filler, u32 tiles, SharedStorage& ring) {
  LastTile last = before_first_tile(span);
  Cursor<stages> stage;
  for (int i = 0; i < filler; ++i) stage.advance();
  for (u32 done = u32(filler); done <= tiles; done += filler_warps) {
    if (done >= stages) await_phase(&ring.empty[stage.at], stage.parity ^ 1);
    PhaseBarrier* const full = &ring.full[stage.at];
    if (lane_index() == 0) ring.claimed[stage.at] = done < tiles ? span.first_tile + done : span.tiles;
    if (done < tiles) {
      fill_in_turn(ring.stage[stage.at].item, span, span.first_tile + done, last, full);
    } else {
      leave_stage_empty(full);
      if (lane_index() == 0) arrive(full);
    }
    for (int i = 0; i < filler_warps; ++i) stage.advance();
  }
}

// ---- The carry warp: tells the workers what comes before each of their warps, within the share. Leaves the share's
// total.
__device__ __forceinline__ void carry_within_share(const Span& span, PiecesStorage& shared) {
  SharedStorage& ring = shared.ring;
  const int lane = lane_index();
  Accumulator running;
  Cursor<slots> slot;
  for (Cursor<stages> stage;; stage.advance(), slot.advance()) {
    await_phase(&ring.full[stage.at], stage.parity);
    const u32 tile = tile_in(ring, stage.at);
    if (tile >= span.tiles) break;
    const bool has_running = tile > span.first_tile;
    const int warps = active_warps(extent_of(span, tile));
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
  }
  if (lane == 0) shared.total = running;
}

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const PassedScalars passed = passed_scalars(arguments);
  PiecesStorage& shared = block_storage<PiecesStorage>();
  announce_start();
  if (thread_index() == 0) init_pieces(shared.ring);
  block_barrier();
  await_previous_kernel();
  const Scalars scalars = read_scalars(passed);
  if (items_of(arguments) == 0) {
    finish_without_items(arguments, scalars);
    return;
  }
  Span span = span_of_arrays(arguments);
  const u32 blocks = span.tiles < grid_size() ? span.tiles : grid_size();
  if (block_index() >= blocks) return;
  if (warp_index() < 2) {
    const u32 tile = first_tile_of(span, block_index() + u32(warp_index()), blocks);
    if (lane_index() == 0) (warp_index() == 0 ? shared.first_tile : shared.end_tile) = tile;
  }
  block_barrier();
  span.first_tile = shared.first_tile;
  span.first_of_share = index_of_place(span, span.first_tile, extent_of(span, span.first_tile).begin);
  const u32 tiles = shared.end_tile > span.first_tile ? shared.end_tile - span.first_tile : 0;
  const int role = warp_index() - worker_warps;
  if (role < 0) {
    scan_tiles(span, scalars, shared.ring);
  } else if (role == 0) {
    carry_within_share(span, shared);
  } else {
    fill_share(span, role - 1, tiles, shared.ring);
  }
  if (blocks == 1) return;
  block_barrier();
  if (thread_index() == 0) {
    shared.last = leave_share(arguments.workspace, blocks, shared.total, open_segment(shared.ring.results));
  }
  block_barrier();
  if (!shared.last) return;
  finish_open(arguments, int(blocks), scalars, shared.scan);
  if (thread_index() == 0) store_relaxed(&header_of(arguments.workspace)->finished, 0u);
}
