// The parts of the schedule axis_shares for axes that are longer than tiles: shares may have a part of one.
#pragma once

#include "kernel/reduce.axis_shares_short.cuh"
#include "parameters.cuh"
#include "pipeline/phase.suspend.cuh"
#include "thread/divided.cuh"

// The warps that fold wait for each other. What they leave in shared memory before is in one of two places by turns, so
// that none writes there before all have read it.
struct Meetings {
  u32 turn = 0;
};

// Each lane has written or read what the warp gives to others.
__device__ __forceinline__ void arrive_as_warp(PhaseBarrier* barrier) {
  warp_barrier();
  if (lane_index() == 0) arrive(barrier);
}

__device__ __forceinline__ void meet(SharedStorage& shared, Meetings& meetings) {
  arrive_as_warp(&shared.met);
  await_phase(&shared.met, meetings.turn);
  meetings.turn ^= 1;
}

// What a thread knows of the open axis.
template <int count>
struct OpenAxis {
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

// What a share publishes of a column of the axis that began in an earlier share.
__device__ __forceinline__ Descriptor* published_of(const Call& call, u32 share, int column) {
  return descriptors(call.arguments.workspace) + (u64(share) * u64(call.rows.columns) + u64(column));
}

// Each launch writes the descriptors of all shares, or tags of an earlier epoch of the same number could be taken for
// its own: see scrub.
__device__ __forceinline__ void clear_unpublished(const Call& call, const Tile& tile) {
  const int published = tile.has_begun ? tile.columns : 0;
  for (int column = published + thread_index(); column < call.rows.columns; column += fold_threads) {
    clear(published_of(call, tile.share, column));
  }
}

// Later shares with rows of an axis that a share has rows of, but not the last ones: it folds what they publish behind
// what it has itself. The first share of an axis folds all others. Where they are many, every so many-th share folds
// those up to the next such one before it publishes, and the first share folds those.
struct LaterShares {
  u32 share;
  u32 near;  // neighbouring ones
  u32 all;   // and those that have folded others
};

constexpr u32 shares_of_group = 12;

__device__ __forceinline__ LaterShares later_shares_of(const Call& call, u32 share) {
  constexpr u32 few_shares = 16;
  const u64 length = call.rows.length,
            axis = divided(first_row_of_share(call.shares, call.rows, share + 1) - 1, length);
  const u32 first = share_with_row(call.shares, axis * length);
  const u32 count = share_with_row(call.shares, (axis + 1) * length - 1) + 1 - first, place = share - first;
  const u32 group = count <= few_shares ? count : shares_of_group;
  if (place % group != 0) return {share, 0, 0};
  const u32 behind = count - 1 - place, near = behind < group - 1 ? behind : group - 1;
  return {share, near, near + (place == 0 ? (count - 1) / group : 0)};
}

__device__ __forceinline__ u32 share_of(const LaterShares& later, u32 i) {
  return later.share + (i < later.near ? i + 1 : (i - later.near + 1) * shares_of_group);
}

// Folds what the groups have folded. At the end of the axis or of the share, the columns are complete as far as the
// share has rows of them. `waits`: later shares have others that the block folds behind them.
template <int count>
__device__ __forceinline__ void fold_open_groups(const Call& call, const Tile& tile, bool waits,
                                                 const Accumulator* values, OpenAxis<count>& open) {
  Accumulator* const carry = call.shared.carry;
  const bool ends = tile.ends_axis || tile.ends_share;
  fold_parts<fold_threads>(values, 1, tile.columns, call.rows.columns, open.active,
                           [&](int, int column, Accumulator total) {
                             if (in_order && open.has_carry) total = combine(carry[column], total);
                             if (ends && tile.has_begun && !waits) {
                               publish(published_of(call, tile.share, column), call.shared.epoch, aggregate, total);
                             } else if (tile.ends_axis) {
                               finish_result(call, tile.result + u64(column), total);
                             } else {
                               carry[column] = total;
                             }
                           });
  open.has_carry = !ends;
  if (!ends) return;
  open.has_total = false;
  open.active = 0;
}

// Reads what later shares have published of a thread's columns, from number `first` on: as many as `last` or `at_once`,
// once they are there.
template <u32 at_once, int count>
__device__ __forceinline__ void await_published(const Call& call, const LaterShares& later, u32 first, u32 last,
                                                int column, Reading (&seen)[at_once][count]) {
  for (;;) {
    bool is_missing = false;
#pragma unroll
    for (u32 i = 0; i < at_once; ++i) {
      const u32 share = share_of(later, first + i < last ? first + i : last - 1);
#pragma unroll
      for (int c = 0; c < count; ++c) {
        seen[i][c] = read(published_of(call, share, column + c), call.shared.epoch);
        is_missing = is_missing || seen[i][c].status == invalid;
      }
    }
    if (!is_missing) return;
    wait_nanoseconds(100);  // those who ask often keep others from publishing
  }
}

// Folds what later shares have published, from number `first` to `last`. A load takes most of a microsecond, but so
// does code that is not in the instruction cache.
template <int count>
__device__ __forceinline__ void fold_published(const Call& call, const LaterShares& later, u32 first, u32 last,
                                               int column, Accumulator (&total)[count]) {
  constexpr int words = (int(sizeof(Accumulator)) + 3) / 4;
  constexpr u32 at_once = count * words < 4 ? 4 / (count * words) : 1;
#pragma unroll 1
  for (u32 number = first; number < last; number += at_once) {
    Reading seen[at_once][count];
    await_published(call, later, number, last, column, seen);
#pragma unroll
    for (u32 i = 0; i < at_once; ++i) {
      if (number + i >= last) continue;
#pragma unroll
      for (int c = 0; c < count; ++c) {
        total[c] = number > first || i > 0 ? combine(total[c], seen[i][c].value) : seen[i][c].value;
      }
    }
  }
}

// Folds what later shares have of an axis behind what the block's share has, which is in shared memory.
template <bool vectors>
__device__ __forceinline__ void fold_later_shares(const Call& call, const Place& place, const Tile& tile,
                                                  const LaterShares& later, Meetings& meetings) {
  const u32 groups = u32(call.rows.groups), each = (later.all + groups - 1) / groups;
  const u32 begin = u32(place.group) * each, end = later.all < begin + each ? later.all : begin + each;
  Accumulator* const values = call.shared.values[meetings.turn];
  if (u32(place.group) < groups && place.column < tile.columns && begin < end) {
    Accumulator total[ColumnItems<Input, vectors>::count];
    fold_published(call, later, begin, end, place.column, total);
    keep_values(values + place.group * call.rows.columns + place.column, total);
  }
  meet(call.shared, meetings);
  fold_parts<fold_threads>(values, 1, tile.columns, call.rows.columns, int((later.all + each - 1) / each),
                           [&](int, int column, Accumulator total) {
                             total = combine(call.shared.carry[column], total);
                             if (tile.has_begun) {
                               publish(published_of(call, tile.share, column), call.shared.epoch, aggregate, total);
                             } else {
                               finish_result(call, tile.result + u64(column), total);
                             }
                           });
}
