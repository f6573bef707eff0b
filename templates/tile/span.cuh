#pragma once

#include "parameters.cuh"
#include "thread/vector.cuh"

// Tiles lie on a grid of 32-byte addresses, not of items: the first one begins up to 31 bytes before the input, so that
// every vector of every tile is aligned, wherever the input begins. Places count from there. Bulk copies are a sixth
// slower where source and destination do not lie alike on 32 bytes; the first thread must have an item, so where it has
// but one vector, the grid is of 16 bytes.
constexpr u32 grid_bytes = vectors_per_thread > 1 ? 32 : 16;

constexpr int warp_items = warp_size * thread_items;

constexpr int tile_items = worker_warps * warp_items;

struct Span {
  const Input* in;  // where place 0 would be
  Output* out;      // likewise
  u64 begin;        // first place that holds an item
  u64 end;          // behind the last one
  u32 tiles;
  u32 skew;   // bytes by which results lie behind a vector of the output, 16 for none that lies alike on 32 bytes
  bool down;  // it is the vector that they begin in which does not lie alike, and the next one that does
};

__device__ __forceinline__ Span span_of(const Input* in, Output* out, u64 n) {
  const u32 offset = u32(reinterpret_cast<u64>(in) % grid_bytes / sizeof(Input));
  const u32 past = u32(reinterpret_cast<u64>(out - offset) % 32);
  return {in - offset,
          out - offset,
          offset,
          offset + n,
          u32((offset + n + tile_items - 1) / tile_items),
          past > 16 ? past - 16 : past,
          past > 16};
}

// Whether results take the place of items that other tiles read. They may at one address only (runtime/plan.cpp).
__device__ __forceinline__ bool replaces_items(const Span& span) {
  return results_replace_items && static_cast<const void*>(span.in) == span.out;
}

// Of a tile: the places that hold items, [begin, end) of tile_items.
struct Extent {
  int begin;
  int end;
};

__device__ __forceinline__ Extent extent_of(const Span& span, u32 tile) {
  const u64 first = u64(tile) * tile_items, left = span.end - first;
  return {first < span.begin ? int(span.begin) : 0, left < tile_items ? int(left) : tile_items};
}

// Number of threads that have any item of a tile; they are the lowest.
__device__ __forceinline__ int active_threads(const Extent& extent) {
  return (extent.end + thread_items - 1) / thread_items;
}
