#pragma once

#include "parameters.cuh"
#include "thread/vector.cuh"

// Tiles lie on the grid of 16-byte addresses, not of items: the first one begins up to 15 bytes before the input, so
// that every vector of every tile is aligned, wherever the input begins. Places count from there.
constexpr int warp_items = warp_size * thread_items;

constexpr int tile_items = worker_warps * warp_items;

struct Span {
  const Input* in;  // where place 0 would be
  Output* out;      // likewise
  u64 begin;        // first place that holds an item
  u64 end;          // behind the last one
  u32 tiles;
};

__device__ __forceinline__ Span span_of(const Input* in, Output* out, u64 n) {
  const u32 offset = u32(reinterpret_cast<u64>(in) % 16 / sizeof(Input));
  return {in - offset, out - offset, offset, offset + n, u32((offset + n + tile_items - 1) / tile_items)};
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
