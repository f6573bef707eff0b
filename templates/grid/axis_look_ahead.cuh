// The prefixes of a tile's columns by look-ahead. Tiles publish what their rows fold to since the last begin of an
// axis, and the last tile of each span of `tiles_per_span` the same of the span. A block keeps, for each column, the
// fold of the spans before its tile, so that it reads few of both. No tile waits for the prefix of another.
//   A warp does this for all tiles of its block, one after the other, and the workers wait for it. So the loads of a
// step go out together, none waits for a condition, and there is little code: the code of all roles does not fit the
// instruction cache.
#pragma once

#include "block/axis_ring.cuh"
#include "block/axis_teams.cuh"
#include "grid/claim.ticket.cuh"
#include "grid/workspace.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"

// What is published of a column: a row of descriptors for each tile of the panel, and behind them one for each span.
// The panels follow each other without gaps.
struct Published {
  Descriptor* first;  // of the column
  u32 step;           // from row to row
};

__device__ __forceinline__ Published published_of(const Arguments& arguments, const Ring& ring, const RingTile& tile,
                                                  int column) {
  const u64 first = u64(tile.panel) * u64(ring.columns) * published_rows(ring) + u64(column);
  return {descriptors(arguments.workspace) + first, u32(tile.columns)};
}

__device__ __forceinline__ Descriptor* descriptor_of(const Published& published, u32 row) {
  return published.first + u64(row) * published.step;
}

// Neighbouring spans, and neighbouring tiles behind them.
struct Rows {
  u32 first_span;  // row
  u32 spans;
  u32 first_tile;  // row
  u32 tiles;
};

// The tiles of a tile's span that are before it, as far as its first row continues their axis.
__device__ __forceinline__ Rows tiles_of_span(const Ring& ring, const RingTile& tile) {
  const u32 first = carries_spans(ring) ? span_of(tile.number) * tiles_per_span : 0;
  const u32 begin = tile.begin > first ? tile.begin : first;
  return {0, 0, begin, tile.position > 0 ? tile.number - begin : 0};
}

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

template <int count>
__device__ __forceinline__ bool is_missing(const Reading (&seen)[count]) {
  bool missing = false;
#pragma unroll
  for (int k = 0; k < count; ++k) missing = missing || seen[k].status == invalid;
  return missing;
}

// Reads `count` rows from `done` on, of the spans and then of the tiles, and the last row again where there are fewer
// before `end`, so that no load waits for a condition. Waits until all are there.
template <int count>
__device__ __forceinline__ void read_rows(const Published& published, u32 epoch, const Rows& rows, u32 done, u32 end,
                                          Reading (&seen)[count]) {
  const u32 last = (end > done ? end : rows.spans + rows.tiles) - 1;
  for (;;) {
#pragma unroll
    for (u32 k = 0; k < count; ++k) {
      const u32 at = done + k < last ? done + k : last;
      seen[k] = read(descriptor_of(published, at + (at < rows.spans ? rows.first_span : rows.first_tile - rows.spans)),
                     epoch);
    }
    if (warp_ballot(is_missing(seen)) == 0) return;
    wait_nanoseconds(100);  // those who ask often keep others from publishing
  }
}

// Folds the rows that each lane of a team has: neighbouring ones.
template <int count>
__device__ __forceinline__ void fold_some(const Published& published, u32 epoch, const Rows& rows, u32 done, u32 end,
                                          Folds& folds) {
  Reading seen[count];
  read_rows(published, epoch, rows, done, end, seen);
#pragma unroll
  for (u32 k = 0; k < count; ++k) {
    if (done + k >= end) continue;
    if (done + k < rows.spans) {
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
    if (teams.has_column && teams.place + distance < teams.lanes && has_above) fold_onto(has_value, value, above);
  }
}

// Where a column has several lanes.
__device__ __forceinline__ void fold_by_teams(const Published& published, u32 epoch, const Rows& rows,
                                              const Teams& teams, Folds& folds) {
  const u32 all = rows.spans + rows.tiles, each = (all + u32(teams.lanes) - 1) / u32(teams.lanes);
  const u32 own = u32(teams.place) * each, own_end = own + each < all ? own + each : all;
  const bool has_rows = teams.has_column && own < all;
  const u32 first = has_rows ? own : 0, end = has_rows ? own_end : 0;
  for (u32 done = 0; done < each;) {
    if (each - done > 2) {
      fold_some<states_per_lane>(published, epoch, rows, first + done, end, folds);
      done += states_per_lane;
    } else {
      fold_some<1>(published, epoch, rows, first + done, end, folds);
      ++done;
    }
  }
  if (rows.spans > 0) fold_lanes(teams, folds.has_spans, folds.spans);
  if (rows.tiles > 0) fold_lanes(teams, folds.has_tiles, folds.tiles);
}

// Where a column has one lane: the fold of neighbouring rows, with the least code for each.
__device__ __forceinline__ Accumulator fold_list(const Published& published, u32 epoch, u32 first, u32 rows) {
  const Descriptor* const at = descriptor_of(published, first);
  Accumulator value{};
#pragma unroll 1
  for (u32 done = 0; done < rows; done += states_per_lane) {
    Reading seen[states_per_lane];
    for (;;) {
#pragma unroll
      for (u32 k = 0; k < states_per_lane; ++k) {
        const u32 row = done + k < rows ? done + k : rows - 1;
        seen[k] = read(at + u64(row) * published.step, epoch);
      }
      if (warp_ballot(is_missing(seen)) == 0) break;
      wait_nanoseconds(100);
    }
    value = done > 0 ? combine(value, seen[0].value) : seen[0].value;
#pragma unroll
    for (u32 k = 1; k < states_per_lane; ++k) {
      if (done + k < rows) value = combine(value, seen[k].value);
    }
  }
  return value;
}

// The folds of rows, once all of them are published; the first lane of the team gets them. By all lanes of a warp.
__device__ __forceinline__ Folds fold_rows_published(const Published& published, u32 epoch, const Rows& rows,
                                                     const Teams& teams) {
  Folds folds{false, false, Accumulator{}, Accumulator{}};
  if (teams.lanes > 1) {
    fold_by_teams(published, epoch, rows, teams, folds);
    return folds;
  }
  folds.has_spans = rows.spans > 0;
  folds.has_tiles = rows.tiles > 0;
  if (folds.has_spans) folds.spans = fold_list(published, epoch, rows.first_span, rows.spans);
  if (folds.has_tiles) folds.tiles = fold_list(published, epoch, rows.first_tile, rows.tiles);
  return folds;
}

// The fold of a column over the spans before a tile, since the last begin of an axis before it.
struct Carry {
  u32 panel;
  u32 spans;  // that are folded
  bool has_value;
  Accumulator value;
};

// The rows that the look-ahead of a tile reads. The carry is part of the tile's prefix if has_carry.
struct Before {
  Rows rows;
  bool has_carry;
};

__device__ __forceinline__ Before before_tile(const Ring& ring, const RingTile& tile, Carry& carry) {
  const u32 span = span_of(tile.number), begin = span_of(tile.begin);
  Before before{tiles_of_span(ring, tile), false};
  if (tile.position == 0 || !carries_spans(ring) || tile.begin >= span * tiles_per_span) return before;
  // What the carry has of other axes is forgotten.
  if (carry.panel != tile.panel || begin >= carry.spans) carry = {tile.panel, begin, false, Accumulator{}};
  before.rows.first_span = row_of_span(ring, carry.spans);
  before.rows.spans = span - carry.spans;
  before.has_carry = true;
  carry.spans = span;
  return before;
}
