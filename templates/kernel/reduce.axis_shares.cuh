// Folds along an axis that is not the last one: each block takes shares of the array, which are neighbouring rows. One
// warp loads them tile by tile into a ring of stages in shared memory, and the others fold them column by column. An
// axis that several shares have rows of is completed by the block with its first rows, from what the later shares
// publish, in their order, so the association does not depend on timing.
#pragma once

#include "algorithm/hooks.reduce.cuh"
#include "algorithm/start.initial.cuh"
#include "block/axis_shares.cuh"
#include "block/start.plain.cuh"
#include "block/storage.dynamic.cuh"
#include "grid/empty_columns.cuh"
#include "grid/row_shares.cuh"
#include "kernel/reduce.axis_shares_long.cuh"
#include "kernel/reduce.axis_shares_short.cuh"
#include "parameters.cuh"
#include "pipeline/cursor.cuh"
#include "pipeline/fill_runs.bulk.cuh"
#include "pipeline/phase.suspend.cuh"
#include "thread/staged_rows.cuh"
#include "tile/prefetch.none.cuh"

// The next tile of a share.
__device__ __forceinline__ Tile tile_of(const Call& call, const Walk& walk, const Runs& runs, int tile_rows) {
  Tile tile;
  tile.result = walk.axis * call.arguments.inner + walk.panel * u64(call.rows.columns);
  tile.rows = tile_rows;
  tile.columns = panel_columns_of(call.rows, walk.panel, call.arguments.inner);
  tile.shift = int(runs.from % run_grid);
  tile.axes = call.rows.is_short ? tile_rows / int(call.rows.length) : 0;
  tile.parts = call.rows.is_short ? parts_of(tile.axes * call.rows.width, int(call.rows.length)) : 0;
  tile.ends_axis = u64(tile_rows) == walk.together;
  tile.ends_share = u64(tile_rows) == walk.left;
  return tile;
}

// What one warp does: it loads the tiles of the block's shares, each as soon as a stage is free.
struct Loader {
  const Call& call;
  ArrayBytes array;
  Cursor<stages> stage;
  u32 number = 0;

  __device__ __forceinline__ void load(const Runs& runs, const Tile& tile) {
    SharedStorage& shared = call.shared;
    if (number >= stages) await_phase(&shared.empty[stage.at], stage.parity ^ 1);
    if (lane_index() == 0) shared.tile[stage.at] = tile;
    fill_runs(shared.stage[stage.at], runs, array, &shared.full[stage.at]);
    ++number;
    stage.advance();
  }

  __device__ __forceinline__ void load_share(u32 share) {
    const AxisRows& rows = call.rows;
    const u64 begin = first_row_of_share(call.shares, rows, share);
    Walk walk = begin_walk(rows, begin, first_row_of_share(call.shares, rows, share + 1) - begin);
    bool has_begun = !rows.is_short && walk.together != rows.length;
    while (walk.left > 0) {
      const int tile_rows = tile_rows_of(rows, walk);
      const Runs runs = runs_of(rows, walk, tile_rows, call.arguments);
      Tile tile = tile_of(call, walk, runs, tile_rows);
      tile.share = share;
      tile.begins_share = walk.row + walk.panel * rows.rows == begin;
      tile.has_begun = has_begun;
      if (tile.ends_axis) has_begun = false;
      advance(rows, tile_rows, tile.axes, walk);
      load(runs, tile);
    }
  }
};

// Asks the L2 cache for the first tile of a share, which is this block's if blocks ask for tickets in their order, and
// otherwise another one's.
__device__ __forceinline__ void prefetch_share(const Call& call, u32 share) {
  const u64 items = call.rows.rows * call.arguments.inner;
  const u64 first = first_row_of_share(call.shares, call.rows, share) * call.arguments.inner;
  if (call.rows.is_whole) {
    prefetch_tile<stage_bytes / int(sizeof(Input))>(call.arguments.in + first, items - first, 0);
  }
}

// Loads the tiles of the block's shares, by one warp. The last tile has no rows.
__device__ __forceinline__ void load_shares(const Call& call) {
  Workspace* const workspace = call.arguments.workspace;
  const u64 begin = reinterpret_cast<u64>(call.arguments.in);
  const u32 tickets = tickets_of(call.shares, call.rows), blocks = call.shares.blocks;
  Loader loader{call, {begin, begin + call.rows.rows * call.arguments.inner * sizeof(Input)}};
  const auto next_claim = [&] {
    return lane_index() == 0 && tickets > 0 ? claim_of(take_tickets(workspace, 1)) : Claim{};
  };
  const auto settle = [&](const Claim& claim, u64 used) {
    if (lane_index() == 0 && tickets > 0) settle_ticket(workspace, claim, tickets, used);
  };
  if (!call.rows.is_short) {
    if (lane_index() == 0) prefetch_share(call, blocks - 1 - block_index());
    const Claim claim = next_claim();
    if (claim.number >= blocks) abort_kernel();  // another launch uses the workspace at the same time
    if (lane_index() == 0) call.shared.epoch = claim.epoch;
    loader.load_share(blocks - 1 - shuffle(claim.number, 0));
    settle(claim, u64(blocks) * u64(call.rows.columns));
  } else {
    for (u32 share = block_index(); share < call.shares.count;) {
      const Claim claim = next_claim();
      loader.load_share(share);  // meanwhile, the claim for the next one arrives
      settle(claim, 0);
      share = tickets > 0 ? blocks + shuffle(claim.number, 0) : call.shares.count;
    }
  }
  loader.load(Runs{}, Tile{});
}

// Folds the tiles of the block's shares, by the other warps.
template <bool vectors>
__device__ __forceinline__ void fold_tiles(const Call& call, const Place& place) {
  SharedStorage& shared = call.shared;
  OpenAxis<ColumnItems<Input, vectors>::count> open;
  open.has_total = open.has_carry = false;
  open.active = 0;
  const bool turns = should_turn(call.rows);
  Meetings meetings;
  for (Cursor<stages> stage;; stage.advance()) {
    await_phase(&shared.full[stage.at], stage.parity);
    const Tile tile = shared.tile[stage.at];
    if (tile.rows == 0) return;
    if (tile.begins_share && tile.parts == 0) clear_unpublished(call, tile);
    const u8* const staged = shared.stage[stage.at];
    Accumulator* const values = shared.values[meetings.turn];
    const Parts with_rows = tile.parts > 1 ? parts_with_rows(int(call.rows.length), tile.parts) : Parts{};
    const bool ends = tile.ends_axis || tile.ends_share;
    const bool exchanges = tile.parts > 1 || (tile.parts == 0 && (in_order || ends));
    if (tile.parts > 0 && turns) {
      fold_axes<vectors, true>(call, tile, place, with_rows, staged, values);
    } else if (tile.parts > 0) {
      fold_axes<vectors, false>(call, tile, place, with_rows, staged, values);
    } else {
      fold_open_axis<vectors>(call, tile, place, staged, open);
      if (exchanges && open.has_total) {
        keep_values(values + place.group * call.rows.columns + place.column, open.total);
      }
    }
    prepare_next_runs();
    arrive_as_warp(&shared.empty[stage.at]);
    if (!exchanges) continue;
    meet(shared, meetings);
    if (tile.parts > 1) {
      finish_axis_parts(call, tile, with_rows, values);
    } else {
      LaterShares later{};
      if (tile.ends_share && !tile.ends_axis) later = later_shares_of(call, tile.share);
      fold_open_groups(call, tile, later.all > 0, values, open);
      if (later.all > 0) fold_later_shares<vectors>(call, place, tile, later, meetings);
    }
  }
}

template <bool vectors>
__device__ __forceinline__ void fold_shares(const Arguments& arguments, Accumulator initial, SharedStorage& shared) {
  constexpr int count = ColumnItems<Input, vectors>::count;
  const AxisRows rows = axis_rows<vectors>(arguments);
  const Call call{arguments, rows, shares_of(rows), initial, shared};
  if (block_index() >= call.shares.blocks) return;
  const int group = thread_index() / rows.width;
  const Place place{group, (thread_index() - group * rows.width) * count};
  if (warp_index() == fold_threads / warp_size) {
    load_shares(call);
  } else {
    fold_tiles<vectors>(call, place);
  }
}

// By one thread, before any other uses the barriers.
__device__ __forceinline__ void init_barriers(SharedStorage& shared) {
  constexpr u32 warps = fold_threads / warp_size;
  for (int stage = 0; stage < stages; ++stage) {
    init_barrier(&shared.full[stage], run_arrivals);
    init_barrier(&shared.empty[stage], warps);
  }
  init_barrier(&shared.met, warps);
  prepare_runs();
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
  if (arguments.length == 0) {
    finish_empty_columns(arguments, initial);
    return;
  }
  if (arguments.columns == 0) return;
  if (fills_vectors(arguments.in, arguments.inner)) {
    fold_shares<true>(arguments, initial, shared);
  } else {
    fold_shares<false>(arguments, initial, shared);
  }
}
