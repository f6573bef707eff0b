// Scans along an axis that is not the last one, by blocks that stay and warps that each do one thing:
//   loader      claims tiles and loads them into a ring of stages, as far ahead as stages are free
//   workers     fold a tile, `reduce_ahead` tiles ahead; scan it in its stage once its prefixes are known
//   publishers  scan what the groups of workers have folded, and publish what each column folds to
//   closers     publish the same of spans of tiles
//   look-ahead  fold what the tiles before have published of each column: the prefix of the tile
//   storer      stores the results of a tile, and gives its stage back
// An axis may begin at any row of a tile: what is folded begins anew there.
#pragma once

#include "algorithm/start.initial.cuh"
#include "block/axis_begins.cuh"
#include "block/axis_teams.cuh"
#include "block/start.plain.cuh"
#include "block/storage.dynamic.cuh"
#include "grid/axis_look_ahead.cuh"
#include "grid/claim.ticket.cuh"
#include "parameters.cuh"
#include "pipeline/axis_ring_copies.cuh"
#include "pipeline/cursor.cuh"
#include "pipeline/phase.suspend.cuh"

// Tiles that are folded and wait to be scanned, the one that is scanned, and the one before, which some workers may
// still scan.
constexpr int slots = reduce_ahead + 2;

struct SharedStorage {
  Stage stage[stages];
  Accumulator fold[slots][worker_threads * columns_per_thread + panel_columns];  // of each column: one for each group
  Accumulator total[slots][panel_columns];
  Accumulator prefix[slots][panel_columns];
  PhaseBarrier full[stages];         // the tile of the stage is claimed and its items have arrived
  PhaseBarrier scanned[stages];      // the results are in the stage
  PhaseBarrier empty[stages];        // the results are stored
  PhaseBarrier folded[slots];        // `fold` and `has_begin` are there
  PhaseBarrier published[slots];     // `fold` is scanned, `total` is there
  PhaseBarrier looked_ahead[slots];  // `prefix` is there, and `total` was read
  RingTile tile[stages];
  u32 epoch;
  u8 has_begin[slots][worker_threads];  // of each group: whether an axis begins at one of its rows
};

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

__device__ __forceinline__ void init_barriers(SharedStorage& shared) {
  for (int s = 0; s < stages; ++s) {
    init_barrier(&shared.full[s], 1);
    init_barrier(&shared.scanned[s], worker_warps);
    init_barrier(&shared.empty[s], 1);
  }
  for (int s = 0; s < slots; ++s) {
    init_barrier(&shared.folded[s], worker_warps);
    init_barrier(&shared.published[s], exchange_warps);
    init_barrier(&shared.looked_ahead[s], 2 * exchange_warps);
  }
  fence_barriers_for_bulk_copies();
}

// By all lanes of a warp: what they wrote before is seen by whoever waits for the phase to end.
__device__ __forceinline__ void arrive_as_warp(PhaseBarrier* barrier) {
  warp_barrier();
  if (lane_index() == 0) arrive(barrier);
}

// Waits for the tile in a stage. Returns false if there is none.
__device__ __forceinline__ bool await_tile(const Ring& ring, const Cursor<stages>& stage, SharedStorage& shared,
                                           RingTile& tile) {
  await_phase(&shared.full[stage.at], stage.parity);
  tile = shared.tile[stage.at];
  return tile.panel < ring.panels;
}

// ---- The loader warp: claims tiles by tickets, and loads each into the next free stage, until there are no more.
__device__ __forceinline__ void load_tiles(const Arguments& arguments, const Ring& ring, SharedStorage& shared) {
  Workspace* const workspace = arguments.workspace;
  const u32 tiles = ring.along * ring.panels, own_tickets = tickets_per_block(tiles);
  const u32 tickets = own_tickets * grid_size();
  const u64 rows = u64(ring.along) + (has_spans(ring) ? ring.along / tiles_per_span : 0);
  const u64 used = ring.along > 1 ? rows * arguments.inner : 0;
  const u32 scrubbed = used >> 32 != 0 ? ~0u : u32(used);
  Cursor<stages> stage;
  u32 epoch = 0;
  u64 ticket = 0;
  if (lane_index() == 0) ticket = take_ticket(workspace, 0);
  for (u32 done = 0;; ++done, stage.advance()) {
    if (done >= stages) await_phase(&shared.empty[stage.at], stage.parity ^ 1);
    const Claim claim = claim_of(shuffle(ticket, 0));
    const bool is_there = claim.number < tiles;
    RingTile tile{0, ring.panels, 0, 0, 0, 0, 0, 0};
    if (is_there) tile = ring_tile(ring, arguments.inner, claim.number);
    if (lane_index() == 0) {
      if (done == 0) shared.epoch = epoch = claim.epoch;
      if (done < own_tickets) settle_claim(workspace, claim, epoch, 1, tickets, scrubbed);
      // A block that finds no more tiles takes the rest of its tickets at once.
      const u32 left = own_tickets - (done + 1);
      if (done < own_tickets && !is_there && left > 0) {
        settle_claim(workspace, claim_of(take_tickets(workspace, left)), epoch, left, tickets, scrubbed);
      }
      shared.tile[stage.at] = tile;
    }
    if (!is_there) {
      announce(0, &shared.full[stage.at]);
      return;
    }
    fill_stage(arguments, ring, tile, shared.stage[stage.at], &shared.full[stage.at]);
    // Asked for long before the answer is needed.
    ticket = u64(epochs) << 32 | tiles;
    if (lane_index() == 0 && done + 1 < own_tickets) ticket = take_ticket(workspace, done + 1);
  }
}

// The tiles of a tile's span that are before it, as far as its first row continues their axis.
__device__ __forceinline__ Rows tiles_of_span(const Ring& ring, const RingTile& tile) {
  const u32 first = carries_spans(ring) ? tile.number / tiles_per_span * tiles_per_span : 0;
  const u32 begin = tile.begin > first ? tile.begin : first;
  return {0, 0, begin, tile.position > 0 ? tile.number - begin : 0};
}

// ---- Publisher warps: for each tile, scan what the groups have folded of each column, and publish what all rows fold
// to.
__device__ __forceinline__ void publish_folds(const Arguments& arguments, const Ring& ring, int warp,
                                              SharedStorage& shared) {
  Cursor<slots> slot;
  RingTile tile;
  for (Cursor<stages> stage; await_tile(ring, stage, shared, tile); stage.advance(), slot.advance()) {
    const u32 epoch = shared.epoch;
    const Teams teams = teams_of(tile.columns, warp);
    const bool leads = teams.has_column && teams.place == 0;
    const int column = teams.has_column ? teams.column : 0;
    const Published published = published_of(arguments, u64(tile.panel) * u64(ring.columns) + u64(column));
    await_phase(&shared.folded[slot.at], slot.parity);
    const Accumulator total = scan_groups(shared.fold[slot.at] + column * fold_step(ring), shared.has_begin[slot.at],
                                          active_groups(ring, tile), teams);
    if (leads && tile.number + 1 < ring.along) {
      publish(published.first + u64(tile.number) * published.step, epoch, aggregate, total);
    }
    if (leads) shared.total[slot.at][column] = total;
    arrive_as_warp(&shared.published[slot.at]);
  }
}

// ---- Closer warps: for the last tile of each span, publish what the rows of the span fold to.
__device__ __forceinline__ void close_spans(const Arguments& arguments, const Ring& ring, int warp,
                                            SharedStorage& shared) {
  Cursor<slots> slot;
  RingTile tile;
  for (Cursor<stages> stage; await_tile(ring, stage, shared, tile); stage.advance(), slot.advance()) {
    const bool closes = has_spans(ring) && tile.number % tiles_per_span == tiles_per_span - 1;
    await_phase(&shared.published[slot.at], slot.parity);
    const Teams teams = teams_of(tile.columns, warp);
    const int column = teams.has_column ? teams.column : 0;
    const Accumulator total = shared.total[slot.at][column];
    arrive_as_warp(&shared.looked_ahead[slot.at]);
    if (!closes) continue;
    Rows before = tiles_of_span(ring, tile);
    if (tile.until_begin < tile.rows) before.tiles = 0;
    const Published published = published_of(arguments, u64(tile.panel) * u64(ring.columns) + u64(column));
    const Folds folds = fold_rows_published(published, shared.epoch, before, teams);
    if (!teams.has_column || teams.place > 0) continue;
    publish(published.first + u64(row_of_span(ring, tile.number / tiles_per_span)) * published.step, shared.epoch,
            aggregate, folds.has_tiles ? combine(folds.tiles, total) : total);
  }
}

// ---- Look-ahead warps: for each tile, fold what the tiles before have published in its span, and the spans before.
__device__ __forceinline__ void look_ahead(const Arguments& arguments, const Ring& ring, Accumulator initial, int warp,
                                           SharedStorage& shared) {
  Carry carry{ring.panels, 0, false, Accumulator{}};
  Cursor<slots> slot;
  RingTile tile;
  for (Cursor<stages> stage; await_tile(ring, stage, shared, tile); stage.advance(), slot.advance()) {
    const Teams teams = teams_of(tile.columns, warp);
    const int column = teams.has_column ? teams.column : 0;
    Rows before = tiles_of_span(ring, tile);
    const u32 span = tile.number / tiles_per_span;
    const bool has_carry = tile.position > 0 && carries_spans(ring) && tile.begin < span * tiles_per_span;
    if (has_carry) {
      renew_carry(tile.panel, tile.begin / tiles_per_span, carry);
      before.first_span = row_of_span(ring, carry.spans);
      before.spans = span - carry.spans;
    }
    // When this tile is published, most of the others are.
    await_phase(&shared.published[slot.at], slot.parity);
    const Published published = published_of(arguments, u64(tile.panel) * u64(ring.columns) + u64(column));
    const Folds folds = fold_rows_published(published, shared.epoch, before, teams);
    if (folds.has_spans) fold_onto(carry.has_value, carry.value, folds.spans);
    if (has_carry) carry.spans = span;
    if (teams.has_column && teams.place == 0 && tile.position > 0) {
      Accumulator prefix = folds.tiles;
      if (has_carry) prefix = folds.has_tiles ? combine(carry.value, folds.tiles) : carry.value;
      shared.prefix[slot.at][column] = has_initial ? combine(initial, prefix) : prefix;
    }
    arrive_as_warp(&shared.looked_ahead[slot.at]);
  }
}

// ---- Workers
template <bool vectors>
__device__ __forceinline__ void fold_tile(const Ring& ring, const RingTile& tile, const Place& place, int slot,
                                          const Stage& stage, SharedStorage& shared) {
  constexpr int count = ColumnItems<Input, vectors>::count;
  const RowShare share = row_share(ring, tile, place);
  if (share.rows > 0) {
    const bool begins = share.begin < share.rows;
    const int row = begins ? last_begin(share.rows, share.begin, ring.length) : 0;
    Accumulator total[count];
    fold_staged<vectors>(stage, place.first, ring.columns, row, share.rows, total);
#pragma unroll
    for (int c = 0; c < count; ++c) shared.fold[slot][(place.column + c) * fold_step(ring) + place.group] = total[c];
    if (place.column == 0) shared.has_begin[slot][place.group] = begins;
  }
  arrive_as_warp(&shared.folded[slot]);
}

// What comes before a thread's rows.
template <int count>
__device__ __forceinline__ Running<count> running_of(const Ring& ring, const RingTile& tile, const Place& place,
                                                     bool is_begin, int slot, Accumulator initial,
                                                     const SharedStorage& shared) {
  Running<count> running;
  const bool begins_before = tile.until_begin < place.row;
  running.has_value = has_initial || !is_begin;
#pragma unroll
  for (int c = 0; c < count; ++c) {
    const int column = place.column + c;
    running.value[c] = initial;
    if (is_begin) continue;
    if (!begins_before) running.value[c] = shared.prefix[slot][column];
    if (place.group == 0) continue;
    const Accumulator before = shared.fold[slot][column * fold_step(ring) + place.group - 1];
    running.value[c] = has_initial || !begins_before ? combine(running.value[c], before) : before;
  }
  return running;
}

template <bool vectors>
__device__ __forceinline__ void scan_tile(const Ring& ring, const RingTile& tile, const Place& place, int slot,
                                          Accumulator initial, Stage& stage, SharedStorage& shared) {
  constexpr int count = ColumnItems<Input, vectors>::count;
  const RowShare share = row_share(ring, tile, place);
  if (share.rows <= 0) return;
  const int length = ring.length >> 30 == 0 ? int(ring.length) : 1 << 30;
  Running<count> running = running_of<count>(ring, tile, place, share.begin == 0, slot, initial, shared);
  if (share.begin < share.rows) {
    scan_staged<vectors, true>(stage, place.first, ring.columns, share.rows, initial, length, share.begin, running);
  } else {
    scan_staged<vectors, false>(stage, place.first, ring.columns, share.rows, initial, length, share.begin, running);
  }
}

// Fold tiles `reduce_ahead` tiles ahead, and scan each once its prefixes are known.
template <bool vectors>
__device__ __forceinline__ void work(const Arguments& arguments, const Ring& ring, Accumulator initial,
                                     SharedStorage& shared) {
  const Place place = place_of<vectors>(arguments, ring);
  Cursor<stages> stage_ahead, stage, stage_before;
  Cursor<slots> slot_ahead, slot;
  u32 ahead = 0;  // tiles folded
  bool more = true;
  for (u32 done = 0;; ++done) {
    while (more && ahead <= done + reduce_ahead) {
      RingTile tile;
      more = await_tile(ring, stage_ahead, shared, tile);
      if (!more) break;
      if (ahead >= slots) {  // until all workers have scanned the tile that had the slot before
        await_phase(&shared.scanned[stage_before.at], stage_before.parity);
        stage_before.advance();
      }
      fold_tile<vectors>(ring, tile, place, slot_ahead.at, shared.stage[stage_ahead.at], shared);
      stage_ahead.advance();
      slot_ahead.advance();
      ++ahead;
    }
    if (done == ahead) return;
    await_phase(&shared.looked_ahead[slot.at], slot.parity);
    const RingTile tile = shared.tile[stage.at];
    scan_tile<vectors>(ring, tile, place, slot.at, initial, shared.stage[stage.at], shared);
    fence_for_bulk_copies();
    arrive_as_warp(&shared.scanned[stage.at]);
    stage.advance();
    slot.advance();
  }
}

// ---- The storer warp
__device__ __forceinline__ void store_tiles(const Arguments& arguments, const Ring& ring, SharedStorage& shared) {
  RingTile tile;
  for (Cursor<stages> stage; await_tile(ring, stage, shared, tile); stage.advance()) {
    await_phase(&shared.scanned[stage.at], stage.parity);
    empty_stage(arguments, ring, tile, shared.stage[stage.at]);
    wait_bulk_stores_read<0>();
    fence_for_bulk_copies();  // what this warp has read of the stage comes before the next items
    arrive_as_warp(&shared.empty[stage.at]);
  }
}

template <bool vectors>
__device__ __forceinline__ void take_role(const Arguments& arguments, Accumulator initial, SharedStorage& shared) {
  const Ring ring = ring_of<vectors>(arguments);
  const int warp = warp_index() - worker_warps;
  if (warp < 0) {
    work<vectors>(arguments, ring, initial, shared);
  } else if (warp == 0) {
    load_tiles(arguments, ring, shared);
  } else if (warp == 1) {
    store_tiles(arguments, ring, shared);
  } else if (warp < 2 + exchange_warps) {
    publish_folds(arguments, ring, warp - 2, shared);
  } else if (warp < 2 + 2 * exchange_warps) {
    look_ahead(arguments, ring, initial, warp - 2 - exchange_warps, shared);
  } else {
    close_spans(arguments, ring, warp - 2 - 2 * exchange_warps, shared);
  }
}

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const PassedScalars passed = passed_scalars(arguments);
  SharedStorage& shared = block_storage<SharedStorage>();
  announce_start();
  if (thread_index() == 0) init_barriers(shared);
  block_barrier();
  await_previous_kernel();
  const Accumulator initial = initial_of(read_scalars(passed));
  if (fills_vectors(arguments.in, arguments.inner) && fills_vectors(arguments.out, arguments.inner)) {
    take_role<true>(arguments, initial, shared);
  } else {
    take_role<false>(arguments, initial, shared);
  }
}
