// Folds along an axis that is not the last one: each block takes neighbouring rows of the array, which a ring of stages
// in shared memory holds tile by tile, and folds them column by column. An axis that several blocks have rows of is
// completed by the last of them, from the partial results in their order, so the association does not depend on timing.
#pragma once

#include "algorithm/hooks.reduce.cuh"
#include "algorithm/start.initial.cuh"
#include "block/axis_shares.cuh"
#include "block/column_teams.cuh"
#include "block/group_share.cuh"
#include "block/start.plain.cuh"
#include "block/storage.dynamic.cuh"
#include "grid/partial.word_32.cuh"
#include "kernel/reduce.axis_shares_short.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"
#include "pipeline/cursor.cuh"
#include "pipeline/fill_runs.bulk.cuh"
#include "pipeline/phase.suspend.cuh"
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
__device__ __forceinline__ void fold_open_axis(const Call& call, const Tile& tile,
                                               OpenAxis<ColumnItems<Input, vectors>::count>& open) {
  constexpr int count = ColumnItems<Input, vectors>::count;
  const int groups = call.rows.groups, width = call.rows.width;
  const int group = thread_index() / width, unit = thread_index() - group * width;
  const Share share = share_of(tile.rows, group, groups, (tile.rows + groups - 1) / groups | 1);
  if (in_order) open.has_total = false;
  if (in_order || share.active > open.active) open.active = share.active;
  if (group >= groups || unit * count >= tile.columns || share.count == 0) return;
  fold_staged_rows<vectors>(tile.staged, unit * count, share.first, share.step, share.count, open.has_total,
                            open.total);
  open.has_total = true;
}

// Folds what the groups have folded. At the end of the axis or of the share, the columns are complete as far as the
// block has rows of them.
template <int count>
__device__ __forceinline__ void fold_open_groups(const Call& call, const Tile& tile, const Accumulator* values,
                                                 OpenAxis<count>& open) {
  Accumulator* const carry = call.shared.carry;
  fold_parts(values, 1, tile.columns, call.rows.columns, open.active, [&](int, int column, Accumulator total) {
    if (in_order && open.has_carry) total = combine(carry[column], total);
    if (in_order && !tile.ends) {
      carry[column] = total;
    } else if (tile.ends_axis && !open.has_begun) {
      finish_column(call, tile.panel, tile.axis, column, total);
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
__device__ __forceinline__ void complete_axis(const Call& call, u64 number, u32 begin, u32 end) {
  constexpr int count = ColumnItems<Input, vectors>::count, at_once = count < 4 ? 8 : count < 16 ? 4 : 2;
  const u64 axes = divided(call.rows.rows, call.rows.length), panel = divided(number, axes);
  const int columns = panel_columns_of(call.rows, panel, call.arguments.inner);
  const int width = call.rows.width, groups = call.rows.groups, blocks = int(end - begin);
  const int group = thread_index() / width, unit = thread_index() - group * width;
  const int each = (blocks + groups - 1) / groups, first = group * each;
  const int last = blocks - first < each ? blocks : first + each;
  const ShareSlot* const slots = slots_of(call.arguments.workspace) + begin;
  if (group < groups && unit * count < columns && first < last) {
    Accumulator total[count];
    for (int block = first; block < last; block += at_once) {
      Accumulator partial[at_once][count];
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
        const int from = block + i < last ? block + i : last - 1;
        const Partial* const of_block = from == 0 ? slots->of_open : slots[from].of_begun;
#pragma unroll
        for (int c = 0; c < count; ++c) partial[i][c] = load_partial(of_block + unit * count + c);
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
    keep_values(call.shared.values[0] + thread_index() * count, total);
  }
  block_barrier();
  fold_parts(
      call.shared.values[0], 1, columns, call.rows.columns, (blocks + each - 1) / each,
      [&](int, int column, Accumulator total) { finish_column(call, panel, number - panel * axes, column, total); });
  block_barrier();
}

// Counts the partial results that the block has left of an axis. Completes the axis if all blocks have.
template <bool vectors>
__device__ __forceinline__ void settle_axis(const Call& call, u64 number, bool& completes) {
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
  complete_axis<vectors>(call, number, begin, end);
}

// The axes that the block's share [begin, end) of rows divides.
template <bool vectors>
__device__ __forceinline__ void settle_axes(const Call& call, u64 begin, u64 end) {
  const u64 length = call.rows.length, first = divided(begin, length), last = divided(end - 1, length);
  const bool divides_first = begin != first * length, divides_last = end != (last + 1) * length;
  if (!divides_first && !divides_last) return;
  fence_device();
  block_barrier();
  if (divides_first) settle_axis<vectors>(call, first, call.shared.completes[0]);
  if (divides_last && (last != first || !divides_first)) settle_axis<vectors>(call, last, call.shared.completes[1]);
}

// ---- the way through a share

// Begins to load the next tile to a stage, by one warp.
__device__ __forceinline__ void fill_next(const Call& call, int stage, Walk& walk) {
  if (walk.left == 0) return;
  const Arguments& arguments = call.arguments;
  const u64 begin = reinterpret_cast<u64>(arguments.in);
  const ArrayBytes array{begin, begin + call.rows.rows * arguments.inner * sizeof(Input)};
  const int tile_rows = tile_rows_of(call.rows, walk);
  fill_runs(call.shared.stage[stage], runs_of(call.rows, walk, tile_rows, arguments), array, &call.shared.full[stage]);
  advance(call.rows, tile_rows, 0, walk);
}

// The next tile, which is in a stage or on its way there.
__device__ __forceinline__ Tile tile_at(const Call& call, const Walk& walk, const u8* stage) {
  Tile tile;
  tile.panel = walk.panel;
  tile.axis = walk.axis;
  tile.rows = tile_rows_of(call.rows, walk);
  tile.columns = panel_columns_of(call.rows, walk.panel, call.arguments.inner);
  tile.axes = call.rows.is_short ? tile.rows / int(call.rows.length) : 0;
  tile.parts = call.rows.is_short ? parts_of(tile.axes * call.rows.width, int(call.rows.length)) : 0;
  tile.ends_axis = u64(tile.rows) == walk.together;
  tile.ends = tile.ends_axis || u64(tile.rows) == walk.left;
  tile.staged = staged_rows(stage, runs_of(call.rows, walk, tile.rows, call.arguments));
  return tile;
}

template <bool vectors>
__device__ __forceinline__ void fold_tiles(const Call& call, Walk walk, bool has_begun) {
  constexpr int count = ColumnItems<Input, vectors>::count;
  SharedStorage& shared = call.shared;
  Walk ahead = walk;
  for (int stage = 0; stage < stages && warp_index() == 0; ++stage) fill_next(call, stage, ahead);
  OpenAxis<count> open;
  open.has_begun = has_begun;
  open.has_total = open.has_carry = false;
  open.active = 0;
  Cursor<stages> stage;
  for (u32 turn = 0; walk.left > 0; turn ^= 1, stage.advance()) {
    const Tile tile = tile_at(call, walk, shared.stage[stage.at]);
    Accumulator* const values = shared.values[turn];
    const bool is_complete = in_order || tile.ends;  // as far as this tile goes
    await_phase(&shared.full[stage.at], stage.parity);
    if (tile.parts == 1) {
      fold_whole_axes<vectors>(call, tile);
    } else if (tile.parts > 1) {
      fold_axis_parts<vectors>(call, tile, values);
    } else {
      fold_open_axis<vectors>(call, tile, open);
      if (is_complete && open.has_total) keep_values(values + thread_index() * count, open.total);
    }
    prepare_next_runs();
    block_barrier();  // the stage is free again, and the values are there
    if (warp_index() == 0) fill_next(call, stage.at, ahead);
    if (tile.parts > 1) {
      finish_axis_parts(call, tile, values);
    } else if (tile.parts == 0 && is_complete) {
      fold_open_groups(call, tile, values, open);
    }
    advance(call.rows, tile.rows, tile.axes, walk);
  }
}

template <bool vectors>
__device__ __forceinline__ void fold_share(const Arguments& arguments, Accumulator initial, SharedStorage& shared) {
  const AxisRows rows = axis_rows<vectors>(arguments);
  const Call call{arguments, rows, shares_of(rows), initial, shared};
  if (block_index() >= call.shares.blocks) return;
  const u64 unit = rows.is_short ? rows.length : 1;
  const u64 begin = share_begin(call.shares, block_index()) * unit;
  const u64 end = share_begin(call.shares, block_index() + 1) * unit;
  const Walk walk = begin_walk(rows, begin, end - begin);
  fold_tiles<vectors>(call, walk, !rows.is_short && walk.together != rows.length);
  if (!rows.is_short) settle_axes<vectors>(call, begin, end);
}

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const PassedScalars passed = passed_scalars(arguments);
  SharedStorage& shared = block_storage<SharedStorage>();
  announce_start();
  if (thread_index() == 0) {
    for (int stage = 0; stage < stages; ++stage) init_barrier(&shared.full[stage], run_arrivals);
    prepare_runs();
  }
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
