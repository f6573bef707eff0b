// Loads tiles into stages by asynchronous copies of 16 bytes.
#pragma once

#include "pipeline/edges.cuh"
#include "pipeline/parts.cuh"

constexpr u32 fill_arrivals = warp_size + 1;

// After the barriers were initialised, by the thread that did.
__device__ __forceinline__ void prepare_fill() {}

// Before a stage that threads have written to is given back, by each of them.
__device__ __forceinline__ void prepare_refill() {}

// Ends the phase of a stage that gets no tile, by one warp.
__device__ __forceinline__ void leave_stage_empty(PhaseBarrier* full) {
  arrive(full);
  if (lane_index() == 0) arrive(full);
}

// Begins to load the items of a tile that begins at `from`, as far as there are any, to their places, by one warp. The
// phase of `full` ends when they are loaded.
__device__ __forceinline__ void fill_places(Input* to, const Input* from, const Extent& extent, PhaseBarrier* full) {
  const WholeVectors vectors = whole_vectors(extent);
  copy_edges(to, from, extent, vectors);
  for (int v = vectors.begin + lane_index(); v < vectors.end; v += warp_size) {
    copy_async(to + v * vector_items, from + v * vector_items);
  }
  arrive_when_copied(full);
  warp_barrier();
  if (lane_index() == 0) arrive(full);  // for the edges
}

// The same for a piece of each array.
template <int arrays>
__device__ __forceinline__ void fill_parts(const Piece (&pieces)[arrays], PhaseBarrier* full) {
  for (const Piece& piece : pieces) {
    for (int v = lane_index(); v < piece.vectors; v += warp_size) copy_async(piece.to + v * 16, piece.from + v * 16);
  }
  arrive_when_copied(full);
  warp_barrier();
  if (lane_index() == 0) arrive(full);  // for what was copied item by item
}
