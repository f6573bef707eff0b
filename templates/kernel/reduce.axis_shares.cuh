// Folds along an axis that is not the last one: each block takes neighbouring rows of the array, which a ring of stages
// in shared memory holds tile by tile, and folds them column by column. An axis that several blocks have rows of is
// completed by the last of them, from the partial results in their order, so the association does not depend on timing.
#pragma once

#include "algorithm/hooks.reduce.cuh"
#include "algorithm/start.initial.cuh"
#include "block/axis_shares.cuh"
#include "block/column_teams.cuh"
#include "block/start.plain.cuh"
#include "block/storage.dynamic.cuh"
#include "grid/partial.word_32.cuh"
#include "kernel/reduce.axis_shares_short.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"
#include "pipeline/cursor.cuh"
#include "pipeline/fill_runs.bulk.cuh"
#include "pipeline/phase.suspend.cuh"
#include "thread/divided.cuh"
#include "thread/staged_rows.cuh"

// ---- long axes

// Of a column of the open axis, which began in this share or in an earlier one.
__device__ __forceinline__ void leave_partial(const Call& call, bool has_begun, int column, Accumulator total) {
  ShareSlot& slot = slots_of(call.arguments.workspace)[block_index()];
  store_partial(has_begun ? &slot.of_begun[column] : &slot.of_open[column], total);
}

// What a thread knows of the open axis.
template <int count>
struct OpenAxis {
  bool has_begun;  // in an earlier share
  bool has_total;
  bool has_carry;
  int active;  // groups that have folded rows
  Accumulator total[count];
};

// Folds a tile's rows of the open axis; in_order: of this tile alone.
template <bool vectors>
__device__ __forceinline__ void fold_open_axis(const Call& call, const Tile& tile, const Place& place, const u8* stage,
                                               OpenAxis<ColumnItems<Input, vectors>::count>& open) {
  const int groups = call.rows.groups;
  const Parts with_rows = parts_with_rows(tile.rows, groups);
  if (in_order) open.has_total = false;
  if (in_order || with_rows.active > open.active) open.active = with_rows.active;
  if (place.group >= groups || place.column >= tile.columns) return;
  const StagedRows staged{stage + place.column * int(sizeof(Input)), call.rows.pitch, tile.shift, call.rows.drift};
  if (fold_part<vectors, false>(staged, 0, tile.rows, place.group, groups, with_rows, 0, open.has_total, open.total)) {
    open.has_total = true;
  }
}

// Folds what the groups have folded. At the end of the axis or of the share, the columns are complete as far as the
// block has rows of them.
template <int count>
__device__ __forceinline__ void fold_open_groups(const Call& call, const Tile& tile, const Accumulator* values,
                                                 OpenAxis<count>& open) {
  Accumulator* const carry = call.shared.carry;
  fold_parts<fold_threads>(values, 1, tile.columns, call.rows.columns, open.active,
                           [&](int, int column, Accumulator total) {
                             if (in_order && open.has_carry) total = combine(carry[column], total);
                             if (in_order && !tile.ends) {
                               carry[column] = total;
                             } else if (tile.ends_axis && !open.has_begun) {
                               finish_result(call, tile.result + u64(column), total);
                             } else {
                               leave_partial(call, open.has_begun, column, total);
                             }
                           });
  open.has_carry = !tile.ends;
  if (!tile.ends) return;
  open.has_begun = open.has_total = false;
  open.active = 0;
}

// ---- axes that several blocks have rows of

// Completes an axis from the partial results of blocks from `begin` to `end`.
template <bool vectors>
__device__ __forceinline__ void complete_axis(const Call& call, const Place& place, u64 number, u32 begin, u32 end) {
  // Each load takes most of a microsecond.
  constexpr int count = ColumnItems<Input, vectors>::count, words = (int(sizeof(Accumulator)) + 3) / 4;
  constexpr int at_once = count * words < 16 ? 16 / (count * words) : 1;
  const u64 axes = divided(call.rows.rows, call.rows.length), panel = divided(number, axes);
  const int columns = panel_columns_of(call.rows, panel, call.arguments.inner);
  const int groups = call.rows.groups, blocks = int(end - begin);
  const int each = (blocks + groups - 1) / groups, first = place.group * each;
  const int last = blocks - first < each ? blocks : first + each;
  const ShareSlot* const slots = slots_of(call.arguments.workspace) + begin;
  if (place.group < groups && place.column < columns && first < last) {
    Accumulator total[count];
    for (int block = first; block < last; block += at_once) {
      Accumulator partial[at_once][count];
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
        const int from = block + i < last ? block + i : last - 1;
        const Partial* const of_block = from == 0 ? slots->of_open : slots[from].of_begun;
#pragma unroll
        for (int c = 0; c < count; ++c) partial[i][c] = load_partial(of_block + place.column + c);
      }
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
        if (block + i >= last) continue;
#pragma unroll
        for (int c = 0; c < count; ++c) {
          total[c] = block > first || i > 0 ? combine(total[c], partial[i][c]) : partial[i][c];
        }
      }
    }
    keep_values(call.shared.values[0] + place.group * call.rows.columns + place.column, total);
  }
  block_barrier();
  const u64 result = (number - panel * axes) * call.arguments.inner + panel * u64(call.rows.columns);
  fold_parts<threads_per_block>(
      call.shared.values[0], 1, columns, call.rows.columns, (blocks + each - 1) / each,
      [&](int, int column, Accumulator total) { finish_result(call, result + u64(column), total); });
  block_barrier();
}

// Counts the partial results that the block has left of an axis. Completes the axis if all blocks have.
template <bool vectors>
__device__ __forceinline__ void settle_axis(const Call& call, const Place& place, u64 number, bool& completes) {
  const u64 length = call.rows.length;
  const u32 begin = u32(block_of_row(call.shares, number * length));
  const u32 end = u32(block_of_row(call.shares, (number + 1) * length - 1)) + 1;
  u32* const finished = &slots_of(call.arguments.workspace)[begin].finished;
  if (thread_index() == 0) {
    const u32 before = add_acquire_release(finished, 1);
    if (before >= end - begin) abort_kernel();  // another launch counts at the same time in the same workspace
    completes = before + 1 == end - begin;
    if (completes) store_relaxed(finished, 0u);
  }
  block_barrier();
  if (!completes) return;
  fence_device();
  complete_axis<vectors>(call, place, number, begin, end);
}

// The axes that the block's share [begin, end) of rows divides.
template <bool vectors>
__device__ __forceinline__ void settle_axes(const Call& call, const Place& place, u64 begin, u64 end) {
  const u64 length = call.rows.length, first = divided(begin, length), last = divided(end - 1, length);
  const bool divides_first = begin != first * length, divides_last = end != (last + 1) * length;
  if (!divides_first && !divides_last) return;
  fence_device();
  block_barrier();
  if (divides_first) settle_axis<vectors>(call, place, first, call.shared.completes[0]);
  if (divides_last && (last != first || !divides_first))
    settle_axis<vectors>(call, place, last, call.shared.completes[1]);
}

// ---- the way through a share

// The next tile of the share.
__device__ __forceinline__ Tile tile_of(const Call& call, const Walk& walk, const Runs& runs, int tile_rows) {
  Tile tile;
  tile.result = walk.axis * call.arguments.inner + walk.panel * u64(call.rows.columns);
  tile.rows = tile_rows;
  tile.columns = panel_columns_of(call.rows, walk.panel, call.arguments.inner);
  tile.shift = int(runs.from % run_grid);
  tile.axes = call.rows.is_short ? tile_rows / int(call.rows.length) : 0;
  tile.parts = call.rows.is_short ? parts_of(tile.axes * call.rows.width, int(call.rows.length)) : 0;
  tile.ends_axis = u64(tile_rows) == walk.together;
  tile.ends = tile.ends_axis || u64(tile_rows) == walk.left;
  return tile;
}

// Loads the tiles of the share, by one warp, each as soon as a stage is free. The last one has no rows.
__device__ __forceinline__ void load_tiles(const Call& call, Walk walk) {
  SharedStorage& shared = call.shared;
  const u64 begin = reinterpret_cast<u64>(call.arguments.in);
  const ArrayBytes array{begin, begin + call.rows.rows * call.arguments.inner * sizeof(Input)};
  Cursor<stages> stage;
  for (u32 number = 0;; ++number, stage.advance()) {
    if (number >= stages) await_phase(&shared.empty[stage.at], stage.parity ^ 1);
    Runs runs{};
    Tile tile{};
    const bool is_tile = walk.left > 0;
    if (is_tile) {
      const int tile_rows = tile_rows_of(call.rows, walk);
      runs = runs_of(call.rows, walk, tile_rows, call.arguments);
      tile = tile_of(call, walk, runs, tile_rows);
      advance(call.rows, tile_rows, tile.axes, walk);
    }
    if (lane_index() == 0) shared.tile[stage.at] = tile;
    fill_runs(shared.stage[stage.at], runs, array, &shared.full[stage.at]);
    if (!is_tile) return;
  }
}

// Each lane has written or read what the warp gives to others.
__device__ __forceinline__ void arrive_as_warp(PhaseBarrier* barrier) {
  warp_barrier();
  if (lane_index() == 0) arrive(barrier);
}

// Folds the tiles of the share, by the other warps.
template <bool vectors>
__device__ __forceinline__ void fold_tiles(const Call& call, const Place& place, bool has_begun) {
  SharedStorage& shared = call.shared;
  OpenAxis<ColumnItems<Input, vectors>::count> open;
  open.has_begun = has_begun;
  open.has_total = open.has_carry = false;
  open.active = 0;
  const bool turns = should_turn(call.rows);
  Cursor<stages> stage;
  for (u32 turn = 0;; stage.advance()) {
    await_phase(&shared.full[stage.at], stage.parity);
    const Tile tile = shared.tile[stage.at];
    if (tile.rows == 0) return;
    const u8* const staged = shared.stage[stage.at];
    const Parts with_rows = tile.parts > 1 ? parts_with_rows(int(call.rows.length), tile.parts) : Parts{};
    const bool exchanges = tile.parts > 1 || (tile.parts == 0 && (in_order || tile.ends));
    if (tile.parts > 0 && turns) {
      fold_axes<vectors, true>(call, tile, place, with_rows, staged, shared.values[turn]);
    } else if (tile.parts > 0) {
      fold_axes<vectors, false>(call, tile, place, with_rows, staged, shared.values[turn]);
    } else {
      fold_open_axis<vectors>(call, tile, place, staged, open);
      if (exchanges && open.has_total) {
        keep_values(shared.values[turn] + place.group * call.rows.columns + place.column, open.total);
      }
    }
    prepare_next_runs();
    arrive_as_warp(&shared.empty[stage.at]);
    if (!exchanges) continue;
    arrive_as_warp(&shared.met);
    await_phase(&shared.met, turn);
    if (tile.parts > 1) {
      finish_axis_parts(call, tile, with_rows, shared.values[turn]);
    } else {
      fold_open_groups(call, tile, shared.values[turn], open);
    }
    turn ^= 1;
  }
}

template <bool vectors>
__device__ __forceinline__ void fold_share(const Arguments& arguments, Accumulator initial, SharedStorage& shared) {
  constexpr int count = ColumnItems<Input, vectors>::count;
  const AxisRows rows = axis_rows<vectors>(arguments);
  const Call call{arguments, rows, shares_of(rows), initial, shared};
  if (block_index() >= call.shares.blocks) return;
  const u64 unit = rows.is_short ? rows.length : 1;
  const u64 begin = share_begin(call.shares, block_index()) * unit;
  const u64 end = share_begin(call.shares, block_index() + 1) * unit;
  const int group = thread_index() / rows.width;
  const Place place{group, (thread_index() - group * rows.width) * count};
  const Walk walk = begin_walk(rows, begin, end - begin);
  if (warp_index() == fold_threads / warp_size) {
    load_tiles(call, walk);
  } else {
    fold_tiles<vectors>(call, place, !rows.is_short && walk.together != rows.length);
  }
  if (!rows.is_short) settle_axes<vectors>(call, place, begin, end);
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
    const u64 thread = u64(block_index()) * threads_per_block + u64(thread_index());
    const u64 threads = u64(grid_size()) * threads_per_block;
    for (u64 column = thread; column < arguments.columns; column += threads) finish(arguments.out + column, initial);
    return;
  }
  if (arguments.columns == 0) return;
  if (fills_vectors(arguments.in, arguments.inner)) {
    fold_share<true>(arguments, initial, shared);
  } else {
    fold_share<false>(arguments, initial, shared);
  }
}
