// Scans along an axis that is not the last one, by blocks that stay and warps that each do one thing:
//   loader      claims tiles and loads them into a ring of stages, as far ahead as stages are free
//   reducers    fold each tile as soon as it has come, for each group of workers
//   publishers  scan what is folded for the groups, and publish what each column folds to
//   closers     publish the same of spans of tiles
//   look-ahead  fold what the tiles before have published of each column: the prefix of the tile
//   workers     scan a tile in its stage once its prefixes are known
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

struct SharedStorage {
  Stage stage[stages];
  Accumulator fold[stages][worker_threads * columns_per_thread + panel_columns];  // of each column: one for each group
  Accumulator total[stages][panel_columns];
  Accumulator prefix[stages][panel_columns];
  PhaseBarrier full[stages];          // the tile of the stage is claimed and its items have arrived
  PhaseBarrier folded[stages];        // `fold` and `has_begin` are there
  PhaseBarrier published[stages];     // `fold` is scanned, `total` is there
  PhaseBarrier looked_ahead[stages];  // `prefix` is there
  PhaseBarrier scanned[stages];       // the results are in the stage
  PhaseBarrier empty[stages];         // the results are stored, and `total` was read
  RingTile tile[stages];
  u32 epoch;
  u8 has_begin[stages][worker_threads];  // of each group: whether an axis begins at one of its rows
};

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

__device__ __forceinline__ void init_barriers(SharedStorage& shared) {
  for (int s = 0; s < stages; ++s) {
    init_barrier(&shared.full[s], 1);
    init_barrier(&shared.folded[s], reducer_warps);
    init_barrier(&shared.published[s], exchange_warps);
    init_barrier(&shared.looked_ahead[s], exchange_warps);
    init_barrier(&shared.scanned[s], worker_warps);
    init_barrier(&shared.empty[s], 1 + exchange_warps);
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
  const u64 used = ring.along > 1 ? published_rows(ring) * arguments.inner : 0;
  const u32 scrubbed = used >> 32 != 0 ? ~0u : u32(used);
  Cursor<stages> stage;
  u32 epoch = 0;
  const auto next_ticket = [&](u32 done) {
    return lane_index() == 0 && done < own_tickets ? take_ticket(workspace, done) : u64(epochs) << 32 | tiles;
  };
  u64 ticket = next_ticket(0);
  for (u32 done = 0;; ++done, stage.advance()) {
    if (done >= stages) {
      await_phase(&shared.empty[stage.at], stage.parity ^ 1);
      ticket = next_ticket(done);  // not before: others wait for what the tile folds to
    }
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
    if (done + 1 < stages) ticket = next_ticket(done + 1);
  }
}

// ---- Reducer warps: fold each tile for the groups of workers.
template <bool vectors>
__device__ __forceinline__ void fold_share(const Ring& ring, const RingTile& tile, const Place& place, int at,
                                           SharedStorage& shared) {
  constexpr int count = ColumnItems<Input, vectors>::count;
  const RowShare share = row_share(ring, tile, place);
  if (share.rows <= 0) return;
  const bool begins = share.begin < share.rows;
  const int row = begins ? last_begin(share.rows, share.begin, ring.length) : 0;
  Accumulator total[count];
  fold_staged<vectors>(shared.stage[at], place.first, ring.columns, row, share.rows, total);
#pragma unroll
  for (int c = 0; c < count; ++c) shared.fold[at][(place.column + c) * fold_step(ring) + place.group] = total[c];
  if (place.column == 0) shared.has_begin[at][place.group] = begins;
}

template <bool vectors>
__device__ __forceinline__ void fold_tiles(const Arguments& arguments, const Ring& ring, int thread,
                                           SharedStorage& shared) {
  constexpr int shares = (worker_warps + reducer_warps - 1) / reducer_warps;
  Place place[shares];
#pragma unroll
  for (int k = 0; k < shares; ++k) {
    place[k] = place_of<vectors>(arguments, ring, thread + k * reducer_warps * warp_size);
  }
  RingTile tile;
  for (Cursor<stages> stage; await_tile(ring, stage, shared, tile); stage.advance()) {
#pragma unroll
    for (int k = 0; k < shares; ++k) fold_share<vectors>(ring, tile, place[k], stage.at, shared);
    arrive_as_warp(&shared.folded[stage.at]);
  }
}

// ---- Publisher warps: for each tile, scan what the groups have folded of each column, and publish what all rows fold
// to.
__device__ __forceinline__ void publish_folds(const Arguments& arguments, const Ring& ring, int warp,
                                              SharedStorage& shared) {
  Teams teams{};
  RingTile tile;
  for (Cursor<stages> stage; await_tile(ring, stage, shared, tile); stage.advance()) {
    const u32 epoch = shared.epoch;
    if (teams.all != tile.columns) teams = teams_of(tile.columns, warp);
    const bool leads = teams.has_column && teams.place == 0;
    const int column = teams.has_column ? teams.column : 0;
    const Published published = published_of(arguments, ring, tile, column);
    await_phase(&shared.folded[stage.at], stage.parity);
    const Accumulator total = scan_groups(shared.fold[stage.at] + column * fold_step(ring), shared.has_begin[stage.at],
                                          active_groups(ring, tile), teams);
    if (leads && tile.number + 1 < ring.along) {
      publish(descriptor_of(published, tile.number), epoch, aggregate, total);
    }
    if (leads) shared.total[stage.at][column] = total;
    arrive_as_warp(&shared.published[stage.at]);
  }
}

// ---- Closer warps: for the last tile of each span, publish what the rows of the span fold to.
__device__ __forceinline__ void close_spans(const Arguments& arguments, const Ring& ring, int warp,
                                            SharedStorage& shared) {
  Teams teams{};
  RingTile tile;
  for (Cursor<stages> stage; await_tile(ring, stage, shared, tile); stage.advance()) {
    const bool closes = has_spans(ring) && tile.number % u32(tiles_per_span) == u32(tiles_per_span) - 1;
    await_phase(&shared.published[stage.at], stage.parity);
    if (teams.all != tile.columns) teams = teams_of(tile.columns, warp);
    const int column = teams.has_column ? teams.column : 0;
    const Accumulator total = shared.total[stage.at][column];
    arrive_as_warp(&shared.empty[stage.at]);
    if (!closes) continue;
    Rows before = tiles_of_span(ring, tile);
    if (tile.until_begin < tile.rows) before.tiles = 0;
    const Published published = published_of(arguments, ring, tile, column);
    const Folds folds = fold_rows_published(published, shared.epoch, before, teams);
    if (!teams.has_column || teams.place > 0) continue;
    publish(descriptor_of(published, row_of_span(ring, span_of(tile.number))), shared.epoch, aggregate,
            folds.has_tiles ? combine(folds.tiles, total) : total);
  }
}

// ---- Look-ahead warps: for each tile, fold what the tiles before have published in its span, and the spans before.
__device__ __forceinline__ void look_ahead(const Arguments& arguments, const Ring& ring, Accumulator initial, int warp,
                                           SharedStorage& shared) {
  Carry carry{ring.panels, 0, false, Accumulator{}};
  Teams teams{};
  RingTile tile;
  for (Cursor<stages> stage; await_tile(ring, stage, shared, tile); stage.advance()) {
    if (teams.all != tile.columns) teams = teams_of(tile.columns, warp);
    const int column = teams.has_column ? teams.column : 0;
    const bool leads = teams.has_column && teams.place == 0;
    const Published published = published_of(arguments, ring, tile, column);
    const Before before = before_tile(ring, tile, carry);
    // Few rows are read in one step, and to ask before they are there only disturbs those who publish. Many take
    // several steps, which begin while this tile is still folded.
    const bool has_few = before.rows.spans + before.rows.tiles <= u32(teams.lanes * states_per_lane);
    if (has_few) await_phase(&shared.published[stage.at], stage.parity);
    const Folds folds = fold_rows_published(published, shared.epoch, before.rows, teams);
    if (folds.has_spans) carry.value = carry.has_value ? combine(carry.value, folds.spans) : folds.spans;
    carry.has_value = carry.has_value || folds.has_spans;
    if (leads && tile.position > 0) {
      Accumulator prefix = folds.tiles;
      if (before.has_carry) prefix = folds.has_tiles ? combine(carry.value, folds.tiles) : carry.value;
      shared.prefix[stage.at][column] = has_initial ? combine(initial, prefix) : prefix;
    }
    // What the workers read of the groups is there, too.
    await_phase(&shared.published[stage.at], stage.parity);
    arrive_as_warp(&shared.looked_ahead[stage.at]);
  }
}

// ---- Workers: scan each tile once its prefixes are known.
// What comes before a thread's rows.
template <int count>
__device__ __forceinline__ Running<count> running_of(const Ring& ring, const RingTile& tile, const Place& place,
                                                     bool is_begin, int at, Accumulator initial,
                                                     const SharedStorage& shared) {
  Running<count> running;
  const bool begins_before = tile.until_begin < place.row;
  running.has_value = has_initial || !is_begin;
#pragma unroll
  for (int c = 0; c < count; ++c) {
    const int column = place.column + c;
    running.value[c] = initial;
    if (is_begin) continue;
    if (!begins_before) running.value[c] = shared.prefix[at][column];
    if (place.group == 0) continue;
    const Accumulator before = shared.fold[at][column * fold_step(ring) + place.group - 1];
    running.value[c] = has_initial || !begins_before ? combine(running.value[c], before) : before;
  }
  return running;
}

template <bool vectors>
__device__ __forceinline__ void scan_tile(const Ring& ring, const RingTile& tile, const Place& place, int at,
                                          Accumulator initial, SharedStorage& shared) {
  constexpr int count = ColumnItems<Input, vectors>::count;
  const RowShare share = row_share(ring, tile, place);
  if (share.rows <= 0) return;
  const int length = ring.length >> 30 == 0 ? int(ring.length) : 1 << 30;
  Running<count> running = running_of<count>(ring, tile, place, share.begin == 0, at, initial, shared);
  if (share.begin < share.rows) {
    scan_staged<vectors, true>(shared.stage[at], place.first, ring.columns, share.rows, initial, length, share.begin,
                               running);
  } else {
    scan_staged<vectors, false>(shared.stage[at], place.first, ring.columns, share.rows, initial, length, share.begin,
                                running);
  }
}

template <bool vectors>
__device__ __forceinline__ void scan_tiles(const Arguments& arguments, const Ring& ring, Accumulator initial,
                                           SharedStorage& shared) {
  const Place place = place_of<vectors>(arguments, ring, thread_index());
  RingTile tile;
  for (Cursor<stages> stage; await_tile(ring, stage, shared, tile); stage.advance()) {
    await_phase(&shared.looked_ahead[stage.at], stage.parity);
    scan_tile<vectors>(ring, tile, place, stage.at, initial, shared);
    fence_for_bulk_copies();
    arrive_as_warp(&shared.scanned[stage.at]);
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
  const int warp = warp_index(), other = warp - worker_warps - reducer_warps;
  const int exchange = other - 2;
  if (warp < worker_warps) {
    scan_tiles<vectors>(arguments, ring, initial, shared);
  } else if (other < 0) {
    fold_tiles<vectors>(arguments, ring, thread_index() - worker_threads, shared);
  } else if (other == 0) {
    load_tiles(arguments, ring, shared);
  } else if (other == 1) {
    store_tiles(arguments, ring, shared);
  } else if (exchange < exchange_warps) {
    publish_folds(arguments, ring, exchange, shared);
  } else if (exchange < 2 * exchange_warps) {
    close_spans(arguments, ring, exchange - exchange_warps, shared);
  } else {
    look_ahead(arguments, ring, initial, exchange - 2 * exchange_warps, shared);
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
