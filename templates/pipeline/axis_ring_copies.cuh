// One warp fills a stage with a tile, and one stores the results from there: by bulk copies where the items of the
// tile, or of each of its rows, fill whole vectors of 16 bytes.
#pragma once

#include "block/axis_ring.cuh"
#include "pipeline/bulk_load.keep.cuh"
#include "pipeline/bulk_store.keep.cuh"
#include "thread/load_units.cuh"

// Whether the rows of panels are whole vectors.
template <typename T>
__device__ __forceinline__ bool rows_fill_vectors(const T* array, const RingTile& tile, u64 inner) {
  return items_divide_vectors && is_aligned<16>(array) && inner % u64(items_of_vector) == 0 &&
         tile.columns % items_of_vector == 0;
}

// The same number for all lanes, by lane 0; lanes that copied items have arrived, too.
__device__ __forceinline__ void announce(u32 bytes, PhaseBarrier* full) {
  warp_barrier();
  if (lane_index() > 0) return;
  if (bytes == 0) {
    arrive(full);
  } else {
    arrive_expecting(full, bytes);
  }
}

__device__ __forceinline__ void fill_whole_rows(const Input* from, const Contiguous& tile, Stage& stage,
                                                PhaseBarrier* full) {
  const int lane = lane_index(), behind = tile.head + tile.vectors * items_of_vector;
  Input* const to = stage.in + tile.shift;
  load_units(to + lane, warp_size, from + lane, warp_size, share_of_count(tile.head, lane, warp_size));
  load_units(to + behind + lane, warp_size, from + behind + lane, warp_size,
             share_of_count(tile.items - behind, lane, warp_size));
  const u32 bytes = u32(tile.vectors) * 16;
  announce(bytes, full);
  if (bytes > 0 && lane == 0) begin_bulk_load(to + tile.head, from + tile.head, bytes, full);
}

__device__ __forceinline__ void fill_panel(const Input* from, const RingTile& tile, int pitch, u64 inner,
                                           bool by_vectors, Stage& stage, PhaseBarrier* full) {
  const u32 bytes = u32(tile.columns) * u32(sizeof(Input));
  if (by_vectors) {
    announce(bytes * u32(tile.rows), full);
    warp_barrier();
    for (int row = lane_index(); row < tile.rows; row += warp_size) {
      begin_bulk_load(stage.in + row * pitch, from + u64(row) * inner, bytes, full);
    }
    return;
  }
  for (int column = lane_index(); column < tile.columns; column += warp_size) {
    load_units(stage.in + column, pitch, from + column, inner, tile.rows);
  }
  announce(0, full);
}

// Begins to fill the stage. By all lanes of one warp; the phase of `full` ends when the items are there.
__device__ __forceinline__ void fill_stage(const Arguments& arguments, const Ring& ring, const RingTile& tile,
                                           Stage& stage, PhaseBarrier* full) {
  const u64 inner = arguments.inner;
  const Input* const from = arguments.in + tile.row * inner + u64(tile.panel) * u64(ring.columns);
  if (ring.is_whole) {
    fill_whole_rows(from, contiguous_items(from, tile.rows * tile.columns), stage, full);
  } else {
    fill_panel(from, tile, ring.columns, inner, rows_fill_vectors(arguments.in, tile, inner), stage, full);
  }
}

__device__ __forceinline__ void empty_whole_rows(Output* to, const Contiguous& tile, const Stage& stage) {
  const int lane = lane_index();
  const Output* const from = stage.out + tile.shift;
  int head = tile.items, behind = tile.items;
  if (tile.vectors > 0 && reinterpret_cast<u64>(to) % 16 == u64(tile.shift) * sizeof(Input)) {
    head = tile.head;
    behind = head + tile.vectors * items_of_vector;
    if (lane == 0) begin_bulk_store(to + head, from + head, u32(tile.vectors) * 16);
  }
  load_units(to + lane, warp_size, from + lane, warp_size, share_of_count(head, lane, warp_size));
  load_units(to + behind + lane, warp_size, from + behind + lane, warp_size,
             share_of_count(tile.items - behind, lane, warp_size));
}

__device__ __forceinline__ void empty_panel(Output* to, const RingTile& tile, int pitch, u64 inner, bool by_vectors,
                                            const Stage& stage) {
  if (by_vectors) {
    for (int row = lane_index(); row < tile.rows; row += warp_size) {
      begin_bulk_store(to + u64(row) * inner, stage.out + row * pitch, u32(tile.columns) * u32(sizeof(Output)));
    }
    return;
  }
  for (int row = 0; row < tile.rows; ++row) {
    for (int column = lane_index(); column < tile.columns; column += warp_size) {
      to[u64(row) * inner + u64(column)] = stage.out[row * pitch + column];
    }
  }
}

// Begins to store the results in the stage, as one group of bulk stores. By all lanes of one warp.
__device__ __forceinline__ void empty_stage(const Arguments& arguments, const Ring& ring, const RingTile& tile,
                                            const Stage& stage) {
  const u64 inner = arguments.inner, first = tile.row * inner + u64(tile.panel) * u64(ring.columns);
  Output* const to = arguments.out + first;
  if (ring.is_whole) {
    empty_whole_rows(to, contiguous_items(arguments.in + first, tile.rows * tile.columns), stage);
  } else {
    empty_panel(to, tile, ring.columns, inner, rows_fill_vectors(arguments.out, tile, inner), stage);
  }
  commit_bulk_stores();
}
