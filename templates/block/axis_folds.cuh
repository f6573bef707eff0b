// What the groups of a block's threads have folded of the columns of a tile, and the prefixes of the columns. A team of
// a warp's lanes takes a column.
#pragma once

#include "operator/combine.value.cuh"
#include "parameters.cuh"

struct PanelFolds {
  Accumulator of_group[threads_per_block * columns_per_thread];  // a row of columns for each group
  Accumulator prefix[panel_columns];
};

// The lanes of a warp as teams: one for each of `columns` neighbouring columns.
struct Teams {
  int columns;
  int column;  // of this lane, within the warp's
  int place;   // of this lane, within its team
  int lanes;   // of a team
};

// As few columns for each warp as all warps need to have them all, but at least `least`. Lanes that are left over have
// a place behind those of the teams.
__device__ __forceinline__ Teams teams_of(int columns, int least) {
  constexpr int warps = threads_per_block / warp_size;
  int each = (columns + warps - 1) / warps;
  if (each < least) each = least;
  if (each > warp_size) each = warp_size;
  return {each, lane_index() % each, lane_index() / each, warp_size / each};
}

// Inclusive scan of what the first `active` groups, at least one, have folded of a column. Returns what they all fold
// to, if is_there. `folds`: of the column in the first group; the next group's is `step` behind. By all lanes of a
// warp.
__device__ __forceinline__ Accumulator scan_groups(Accumulator* folds, int step, int active, bool is_there,
                                                   const Teams& teams) {
  const int each = (active + teams.lanes - 1) / teams.lanes;
  const int begin = teams.place * each, end = begin + each < active ? begin + each : active;
  const bool has_groups = is_there && begin < end;
  Accumulator inclusive;
  if (has_groups) inclusive = folds[begin * step];
  for (int group = begin + 1; has_groups && group < end; ++group) {
    inclusive = combine(inclusive, folds[group * step]);
    folds[group * step] = inclusive;
  }
  for (int distance = 1; distance < teams.lanes; distance *= 2) {
    const Accumulator below = shuffle_up(inclusive, distance * teams.columns);
    if (has_groups && teams.place >= distance) inclusive = combine(below, inclusive);
  }
  const Accumulator before = shuffle_up(inclusive, teams.columns);
  if (has_groups && teams.place > 0) {
    for (int group = begin; group < end; ++group) folds[group * step] = combine(before, folds[group * step]);
  }
  return shuffle(inclusive, (active - 1) / each * teams.columns + teams.column);
}
