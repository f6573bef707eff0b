// What the schedule lookahead works on: one array that is read, and one that is written, both from the last item to the
// first.
#pragma once

#include "algorithm/limits.none.cuh"
#include "parameters.cuh"
#include "pipeline/geometry.cuh"
#include "tile/prefetch.none.cuh"

struct Span {
  const Input* in;  // behind where place 0 would be
  Output* out;      // likewise
  u64 begin;        // the first place that holds an item
  u64 end;          // behind the last place that holds an item
  u32 tiles;
  // The results of a warp begin `skew` bytes (0 to 16) behind an address that is a multiple of 16. Where it is a
  // multiple of 32, they are shifted up by the skew in shared memory, so that they lie there as in global memory. Where
  // it is not (`down`), they are shifted down by 16 - skew bytes, to the next multiple of 32.
  u32 skew;
  bool down;
  u64 capacity;  // results that there is room for
};

__device__ __forceinline__ Span span_of(const Input* in, Output* out, u64 n, u64 capacity) {
  const u32 behind = u32(reinterpret_cast<u64>(in + n) % grid_bytes);
  const u32 offset = behind == 0 ? 0 : u32((grid_bytes - behind) / sizeof(Input));
  const u32 past = u32(reinterpret_cast<u64>(out + n + offset) % 32);
  return {in + n + offset,
          out + n + offset,
          offset,
          offset + n,
          u32((offset + n + tile_places - 1) / tile_places),
          past > 16 ? past - 16 : past,
          past > 16,
          capacity};
}

__device__ __forceinline__ Span span_of_arrays(const Arguments& arguments) {
  return span_of(arguments.in, arguments.out, items_of(arguments), capacity_of(arguments));
}

// Asks for tile `tile` ahead of time, by one thread. Tiles that are not whole are not asked for.
__device__ __forceinline__ void prefetch_arrays(const Arguments& arguments, u64 tile) {
  const u64 end = (tile + 1) * tile_places;
  if (end <= arguments.n) prefetch_tile<tile_places>(arguments.in + (arguments.n - end), tile_places, 0);
}

// Whether results take the place of items that other tiles read: those of a scan take the place of their own.
__device__ __forceinline__ bool replaces_items(const Span&) { return false; }
