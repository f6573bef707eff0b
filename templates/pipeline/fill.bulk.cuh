// Loads tiles into stages by bulk copies.
#pragma once

#include "pipeline/bulk_load.keep.cuh"
#include "pipeline/edges.cuh"
#include "pipeline/parts.cuh"

constexpr u32 fill_arrivals = 1;

// After the barriers were initialised, by the thread that did.
__device__ __forceinline__ void prepare_fill() { fence_barriers_for_bulk_copies(); }

// Before a stage that threads have written to is given back, by each of them.
__device__ __forceinline__ void prepare_refill() { fence_for_bulk_copies(); }

// Ends the phase of a stage that gets no tile, by one warp.
__device__ __forceinline__ void leave_stage_empty(PhaseBarrier* full) {
  if (lane_index() == 0) arrive(full);
}

// Begins to load the items of a tile that begins at `from`, as far as there are any, to their places, by one warp. The
// phase of `full` ends when they are loaded.
__device__ __forceinline__ void fill_places(Input* to, const Input* from, const Extent& extent, PhaseBarrier* full) {
  const WholeVectors vectors = whole_vectors(extent);
  copy_edges(to, from, extent, vectors);
  warp_barrier();
  if (lane_index() > 0) return;
  const u32 bytes = u32(vectors.end - vectors.begin) * 16;
  if (bytes == 0) {
    arrive(full);
  } else {
    const int first = vectors.begin * vector_items;
    arrive_expecting(full, bytes);
    begin_bulk_load(to + first, from + first, bytes, full);
  }
}

// The same for a piece of each array.
template <int arrays>
__device__ __forceinline__ void fill_parts(const Piece (&pieces)[arrays], PhaseBarrier* full) {
  warp_barrier();
  if (lane_index() > 0) return;
  u32 bytes = 0;
  for (const Piece& piece : pieces) bytes += u32(piece.vectors) * 16;
  if (bytes == 0) {
    arrive(full);
    return;
  }
  arrive_expecting(full, bytes);
  for (const Piece& piece : pieces) {
    if (piece.vectors > 0) begin_bulk_load(piece.to, piece.from, u32(piece.vectors) * 16, full);
  }
}
