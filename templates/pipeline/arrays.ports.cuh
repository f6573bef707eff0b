// A generated source has its own text in this place, made from the arrays of the problem. Here, those of select_if.
#pragma once

#include "algorithm/limits.none.cuh"
#include "parameters.cuh"
#include "pipeline/geometry.cuh"
#include "tile/outputs.ports.cuh"
#include "tile/prefetch.none.cuh"

// Asks for tile `tile` ahead of time, by one thread.
__device__ __forceinline__ void prefetch_arrays(const Arguments& arguments, u64 tile) {
  prefetch_tile<tile_places>(arguments.in, arguments.n, tile);
}

struct Span {
  // Of each array that is read: where place 0 would be.
  const Input* in;
  // Where results go, from the first one on.
  Output* out;
  u64 begin;  // first place that holds an item
  u64 end;    // behind the last one
  u32 tiles;
  bool in_place;  // whether results take the place of items that other tiles read
  u64 capacity;   // results that there is room for
};

__device__ __forceinline__ Span span_of_arrays(const Arguments& arguments) {
  const u32 offset = u32(reinterpret_cast<u64>(arguments.in) % grid_bytes / sizeof(Input));
  const u64 n = items_of(arguments);
  return {arguments.in - offset,
          arguments.out,
          offset,
          offset + n,
          u32((offset + n + tile_places - 1) / tile_places),
          replaces_items(arguments),
          capacity_of(arguments)};
}

__device__ __forceinline__ bool replaces_items(const Span& span) { return span.in_place; }
