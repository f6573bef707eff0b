// The prefixes of a tile's columns by look-ahead. Tiles publish what their rows fold to since the last begin of an
// axis, and the last tile of each span of `tiles_per_span` the same of the span. A block keeps, for each column, the
// fold of the spans before its tile, so that it reads few of both. No tile waits for the prefix of another.
#pragma once

#include "block/axis_ring.cuh"
#include "block/axis_teams.cuh"
#include "grid/claim.ticket.cuh"
#include "grid/workspace.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"

// What is published of a column: a row of descriptors for each tile of the panel, and behind them one for each span.
struct Published {
  Descriptor* first;  // of the column
  u64 step;           // from row to row
};

__device__ __forceinline__ Published published_of(const Arguments& arguments, u64 column) {
  return {descriptors(arguments.workspace) + column, arguments.inner};
}

// Neighbouring spans, and neighbouring tiles behind them.
struct Rows {
  u32 first_span;  // row
  u32 spans;
  u32 first_tile;  // row
  u32 tiles;
};

// What they fold to, each if there are any.
struct Folds {
  bool has_spans;
  bool has_tiles;
  Accumulator spans;
  Accumulator tiles;
};

__device__ __forceinline__ void fold_onto(bool& has_value, Accumulator& value, const Accumulator& next) {
  value = has_value ? combine(value, next) : next;
  has_value = true;
}

// Reads rows [at, end) of a list, at most `count` of them, and the last one again where the lane has fewer, so that no
// load waits for a condition. Waits until all of a warp's lanes have theirs, and folds them.
template <int count>
__device__ __forceinline__ void fold_published(const Published& published, u32 epoch, const Rows& rows, u32 at, u32 end,
                                               Folds& folds) {
  const u32 all = rows.spans + rows.tiles, last = (end > at ? end : all) - 1;
  Reading seen[count];
  bool missing;
  for (;;) {
#pragma unroll
    for (int k = 0; k < count; ++k) {
      const u32 place = at + u32(k) < last ? at + u32(k) : last;
      const u32 row = place < rows.spans ? rows.first_span + place : rows.first_tile + (place - rows.spans);
      seen[k] = read(published.first + u64(row) * published.step, epoch);
    }
    missing = false;
#pragma unroll
    for (int k = 0; k < count; ++k) {
      if (at + u32(k) < end && seen[k].status == invalid) missing = true;
    }
    if (warp_ballot(missing) == 0) break;
    wait_nanoseconds(100);  // those who ask often keep others from publishing
  }
#pragma unroll
  for (int k = 0; k < count; ++k) {
    if (at + u32(k) >= end) continue;
    if (at + u32(k) < rows.spans) {
      fold_onto(folds.has_spans, folds.spans, seen[k].value);
    } else {
      fold_onto(folds.has_tiles, folds.tiles, seen[k].value);
    }
  }
}

// What neighbouring lanes of a team have, one after the other.
__device__ __forceinline__ void fold_lanes(const Teams& teams, bool& has_value, Accumulator& value) {
  for (int distance = 1; distance < teams.lanes; distance *= 2) {
    const Accumulator above = shuffle_down(value, distance * teams.columns);
    const bool has_above = shuffle_down(u32(has_value), distance * teams.columns) != 0;
    if (!teams.has_column || teams.place + distance >= teams.lanes || !has_above) continue;
    value = has_value ? combine(value, above) : above;
    has_value = true;
  }
}

// The folds of rows, once all of them are published; the first lane of the team gets them. By all lanes of a warp.
__device__ __forceinline__ Folds fold_rows_published(const Published& published, u32 epoch, const Rows& rows,
                                                     const Teams& teams) {
  Folds folds{false, false, Accumulator{}, Accumulator{}};
  const u32 all = rows.spans + rows.tiles, each = (all + u32(teams.lanes) - 1) / u32(teams.lanes);
  const u32 first = u32(teams.place) * each, own_end = first + each < all ? first + each : all;
  const u32 end = teams.has_column ? own_end : 0;
  for (u32 done = 0; done < each;) {
    if (each - done > 2) {
      fold_published<states_per_lane>(published, epoch, rows, first + done, end, folds);
      done += states_per_lane;
    } else {
      fold_published<1>(published, epoch, rows, first + done, end, folds);
      ++done;
    }
  }
  if (rows.spans > 0) fold_lanes(teams, folds.has_spans, folds.spans);
  if (rows.tiles > 0) fold_lanes(teams, folds.has_tiles, folds.tiles);
  return folds;
}

// The fold of a column over the spans before a tile, since the last begin of an axis before it.
struct Carry {
  u32 panel;
  u32 spans;  // that are folded
  bool has_value;
  Accumulator value;
};

// Forgets what the carry has of other axes. `begin`: the span where that of the tile begins.
__device__ __forceinline__ void renew_carry(u32 panel, u32 begin, Carry& carry) {
  if (carry.panel == panel && begin < carry.spans) return;
  carry = {panel, begin, false, Accumulator{}};
}
