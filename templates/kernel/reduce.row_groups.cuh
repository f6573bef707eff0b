// Folds of rows: a group of threads folds a few rows at a time, and no group waits for another one's rows. Short rows
// that begin within vectors go through shared memory, a tile of many of them at a time.
#pragma once

#include "algorithm/hooks.reduce.cuh"
#include "algorithm/row_pitch.none.cuh"
#include "algorithm/start.initial.cuh"
#include "block/reduce_group.warp.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "thread/row_edges.cuh"
#include "thread/row_vectors.cuh"
#include "tile/row_tile.cuh"

struct SharedStorage {
  RowTile tile;
  GroupStorage group;
};

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

constexpr int groups_per_block = threads_per_block / threads_per_row;

// Rows that a block folds at a time.
constexpr int block_rows = groups_per_block * rows_per_group;

// Where a row begins within a vector.
__device__ __forceinline__ int places_before(const Input* row) {
  return int(reinterpret_cast<u64>(row) % 16 / sizeof(Input));
}

// The stretch of a row from place `first` on. Empty behind the last row.
template <bool aligned>
__device__ __forceinline__ Stretch stretch_of(const Arguments& arguments, u64 row, u64 first) {
  if (row >= arguments.rows) return {arguments.in, 0, 0};
  const Input* from = arguments.in + row * in_pitch_of(arguments);
  int before = 0;
  u64 end = arguments.row_length;
  if (!aligned && has_edges) {
    const RowEdges edges = edges_of(from, arguments.row_length);
    from += edges.head;
    end -= u64(edges.head + edges.tail);
  } else if (!aligned && items_fill_vectors) {
    before = places_before(from);
    end += u64(before);
  }
  const u64 left = end > first ? end - first : 0;
  return {from - before + first, first > 0 ? 0 : before, left < group_items ? int(left) : group_items};
}

// A stretch of each of the group's rows, from place `first` on: loads all, then folds them behind what there is, if
// first > 0. `row`: the group's first row; the others are groups_per_block apart.
template <bool aligned, bool whole>
__device__ __forceinline__ void fold_stretches(const Arguments& arguments, u64 row, u64 first, GroupStorage& storage,
                                               Accumulator (&total)[rows_per_group]) {
  constexpr bool of_vectors = aligned || has_edges;
  const int lane = thread_index() % threads_per_row;
  const Input* const last = arguments.in + in_places_of(arguments);
  RowVectors loaded[rows_per_group];
#pragma unroll
  for (int k = 0; k < rows_per_group; ++k) {
    load_row<of_vectors>(stretch_of<aligned>(arguments, row + u64(k * groups_per_block), first), arguments.in, last,
                         lane, loaded[k]);
  }
#pragma unroll
  for (int k = 0; k < rows_per_group; ++k) {
    const Stretch stretch = stretch_of<aligned>(arguments, row + u64(k * groups_per_block), first);
    const int active = active_lanes(stretch.valid);
    if (!in_order) {
      if (lane < active) fold_row<of_vectors, whole>(loaded[k], stretch, lane, first > 0, total[k]);
      continue;
    }
    Accumulator share;
    if (lane < active) fold_row<of_vectors, whole>(loaded[k], stretch, lane, false, share);
    const Accumulator folded = group_reduce(share, active, storage);
    if (lane == 0 && active > 0) total[k] = first > 0 ? combine(total[k], folded) : folded;
  }
}

// Folds a row's edges behind what its lanes have. The lanes that then have anything are the lowest: returns how many.
__device__ __forceinline__ int fold_edges_of(const Arguments& arguments, u64 row, int active, const EdgeItems& loaded,
                                             Accumulator& total) {
  if (row >= arguments.rows) return 0;
  const Input* const from = arguments.in + row * in_pitch_of(arguments);
  const RowEdges edges = edges_of(from, arguments.row_length);
  fold_edges(from, arguments.row_length, edges, loaded, active, total);
  const int most = edges.head > edges.tail ? edges.head : edges.tail;
  return active > most ? active : most < threads_per_row ? most : threads_per_row;
}

// Folds all rows, of at least one item.
template <bool aligned>
__device__ __forceinline__ void fold_rows(const Arguments& arguments, const Scalars& scalars, GroupStorage& storage) {
  constexpr bool edges_apart = !aligned && has_edges;
  constexpr int most_before = aligned || has_edges ? 0 : vector_items - 1;
  constexpr int most_edges = edges_apart ? 2 * (vector_items - 1) : 0;
  const u64 length = arguments.row_length;
  // Of the places that stretches have, at most: an edge is no stretch.
  const u64 places = edges_apart ? length / vector_items * vector_items : length + most_before;
  const int lane = thread_index() % threads_per_row;
  // By all threads, so that each can exchange with its group.
  for (u64 batch = u64(block_index()) * block_rows; batch < arguments.rows; batch += u64(grid_size()) * block_rows) {
    const u64 row = batch + u64(thread_index() / threads_per_row);
    Accumulator total[rows_per_group];
    EdgeItems edge[rows_per_group];
#pragma unroll
    for (int k = 0; edges_apart && k < rows_per_group; ++k) {
      const u64 at = row + u64(k * groups_per_block);
      if (at < arguments.rows) load_edges(arguments.in + at * in_pitch_of(arguments), length, lane, edge[k]);
    }
    for (u64 first = 0; first < places; first += group_items) {
      // Whatever places there are before a row, the first stretch alone has them.
      if ((aligned || has_edges || first > 0) && length >= first + group_items + most_edges) {
        fold_stretches<aligned, true>(arguments, row, first, storage, total);
      } else {
        fold_stretches<aligned, false>(arguments, row, first, storage, total);
      }
    }
#pragma unroll
    for (int k = 0; k < rows_per_group; ++k) {
      const u64 at = row + u64(k * groups_per_block);
      if (!in_order) {
        int active = active_lanes(stretch_of<aligned>(arguments, at, 0).valid);
        if (edges_apart) active = fold_edges_of(arguments, at, active, edge[k], total[k]);
        total[k] = group_reduce(total[k], active, storage);
      }
      if (lane == 0 && at < arguments.rows) finish(arguments.out + at, combine(initial_of(scalars), total[k]));
    }
  }
}

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  await_previous_kernel();
  const Scalars scalars = read_scalars(passed);
  SharedStorage& shared = block_storage<SharedStorage>();
  const u64 length = arguments.row_length, threads = u64(grid_size()) * threads_per_block;
  if (length == 0) {
    const u64 thread = u64(block_index()) * threads_per_block + u64(thread_index());
    for (u64 row = thread; row < arguments.rows; row += threads) finish(arguments.out + row, initial_of(scalars));
    return;
  }
  const u64 pitch = in_pitch_of(arguments);
  const bool aligned = reinterpret_cast<u64>(arguments.in) % 16 == 0 && length * sizeof(Input) % 16 == 0 &&
                       (!has_row_gaps || pitch * sizeof(Input) % 16 == 0);
  if (items_fill_vectors && aligned) {
    fold_rows<true>(arguments, scalars, shared.group);
  } else if (fits_row_tiles(pitch) && (!has_row_gaps || has_small_gaps(length, pitch))) {
    fold_row_tiles(arguments.in, arguments.rows, length, pitch, initial_of(scalars), arguments.out, shared.tile);
  } else {
    fold_rows<false>(arguments, scalars, shared.group);
  }
}
