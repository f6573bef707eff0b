// The prefixes of a tile's columns by decoupled look-back: each column is a chain of its own, and a team of a warp's
// lanes reads a window of the tiles before.
#pragma once

#include "block/axis_folds.cuh"
#include "grid/workspace.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"

// A column's place in the chains.
struct Chain {
  Descriptor* descriptors;  // of the column in the first tile of its chain
  u64 columns;              // how far the next tile's descriptor is
  u32 tile;                 // of the chain
};

// Columns whose descriptors are a sector of memory.
constexpr int sector_columns = sizeof(Descriptor) < 32 ? 32 / int(sizeof(Descriptor)) : 1;

__device__ __forceinline__ void publish_value(const Chain& chain, u32 epoch, Status status, const Accumulator& value) {
  publish(chain.descriptors + u64(chain.tile) * chain.columns, epoch, status, value);
}

// What a lane knows of tiles that follow each other.
struct Fold {
  Accumulator value;
  u32 status;  // invalid: of no tiles
};

// Waits for what the `states_per_lane` tiles before `end` have published, as far as there are any, and folds them back
// to the nearest inclusive prefix. By all lanes of a warp; nothing is read where the lane does not look.
__device__ __forceinline__ Fold fold_published(const Chain& chain, u32 epoch, u32 end, bool looks) {
  const Descriptor* const nearest = chain.descriptors + u64(end - 1) * chain.columns;
  Reading seen[states_per_lane];
#pragma unroll
  for (int k = 0; k < states_per_lane; ++k) seen[k] = Reading{invalid, Accumulator{}};
  bool missing;
  do {
    missing = false;
#pragma unroll
    for (int k = 0; k < states_per_lane; ++k) {
      if (!looks || u32(k) >= end || seen[k].status != invalid) continue;
      seen[k] = read(nearest - u64(k) * chain.columns, epoch);
      missing = missing || seen[k].status == invalid;
    }
  } while (warp_ballot(missing) != 0);
  Fold fold;
  fold.status = invalid;
#pragma unroll
  for (int k = 0; k < states_per_lane; ++k) {
    if (seen[k].status == invalid || fold.status == inclusive_prefix) continue;
    fold.value = fold.status == invalid ? seen[k].value : combine(seen[k].value, fold.value);
    fold.status = seen[k].status;
  }
  return fold;
}

// The exclusive prefix of a column in a tile that is not the first of its chain; the first lane of its team gets it.
// The first tile of a chain publishes an inclusive prefix, so that the window ends there at the latest. By all lanes of
// a warp; is_there: whether the team has a column.
__device__ __forceinline__ Accumulator look_back(const Chain& chain, u32 epoch, bool is_there, const Teams& teams) {
  const u32 window = u32(teams.lanes * states_per_lane), nearer = u32(teams.place * states_per_lane);
  Accumulator prefix;
  bool has_prefix = false, looks = is_there;
  for (u32 end = chain.tile;; end = end > window ? end - window : 0) {
    Fold fold = fold_published(chain, epoch, end > nearer ? end - nearer : 0, looks);
    for (int distance = 1; distance < teams.lanes; distance *= 2) {
      Fold before;
      before.value = shuffle_down(fold.value, distance * teams.columns);
      before.status = shuffle_down(fold.status, distance * teams.columns);
      if (teams.place + distance >= teams.lanes || fold.status != aggregate || before.status == invalid) continue;
      fold.value = combine(before.value, fold.value);
      fold.status = before.status;
    }
    if (looks && teams.place == 0) {
      prefix = has_prefix ? combine(fold.value, prefix) : fold.value;
      has_prefix = true;
    }
    const u32 open = warp_ballot(looks && teams.place == 0 && fold.status != inclusive_prefix);
    if (open == 0) return prefix;
    looks = is_there && (open >> teams.column & 1) != 0;
  }
}
