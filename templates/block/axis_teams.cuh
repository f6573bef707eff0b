// The columns of a tile among warps that share them, and the scan of what groups of threads have folded of a column.
#pragma once

#include "operator/combine.value.cuh"
#include "parameters.cuh"

// The lanes of a warp as teams: one for each of `columns` neighbouring columns.
struct Teams {
  int all;  // columns of the tile
  int columns;
  int column;  // of this lane, within the panel
  int place;   // of this lane, within its team
  int lanes;   // of a team
  bool has_column;
};

// `warp`: one of exchange_warps that share the columns.
__device__ __forceinline__ Teams teams_of(int columns, int warp) {
  Teams teams;
  teams.all = columns;
  teams.columns = (columns + exchange_warps - 1) / exchange_warps;
  teams.lanes = warp_size / teams.columns;
  teams.place = lane_index() / teams.columns;
  teams.column = warp * teams.columns + lane_index() % teams.columns;
  teams.has_column = teams.column < columns && teams.place < teams.lanes;
  return teams;
}

// Inclusive scan of a column over the first `active` groups, at least one, that begins anew at groups where an axis
// begins. Returns the last fold, to the first lane of the team. `folds`: of the column in each group. By all lanes of a
// warp.
__device__ __forceinline__ Accumulator scan_groups(Accumulator* folds, const u8* has_begin, int active,
                                                   const Teams& teams) {
  const int each = ((active + teams.lanes - 1) / teams.lanes) | 1;  // odd: few bank conflicts
  const int begin = teams.place * each, end = begin + each < active ? begin + each : active;
  const bool has_groups = teams.has_column && begin < end;
  Accumulator inclusive;
  bool begins = false;
  for (int group = begin; has_groups && group < end; ++group) {
    const Accumulator fold = folds[group];
    begins = begins || has_begin[group] != 0;
    inclusive = group == begin || has_begin[group] != 0 ? fold : combine(inclusive, fold);
    folds[group] = inclusive;
  }
  for (int distance = 1; distance < teams.lanes; distance *= 2) {
    const Accumulator below = shuffle_up(inclusive, distance * teams.columns);
    const bool below_begins = shuffle_up(u32(begins), distance * teams.columns) != 0;
    if (!has_groups || teams.place < distance) continue;
    if (!begins) inclusive = combine(below, inclusive);
    begins = begins || below_begins;
  }
  const Accumulator before = shuffle_up(inclusive, teams.columns);
  for (int group = begin; has_groups && teams.place > 0 && group < end && has_begin[group] == 0; ++group) {
    folds[group] = combine(before, folds[group]);
  }
  return shuffle(inclusive, (active - 1) / each * teams.columns + lane_index() % teams.columns);
}
