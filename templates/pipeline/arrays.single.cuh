// What the schedule lookahead works on: one array that is read, and one that is written.
#pragma once

#include "algorithm/limits.none.cuh"
#include "parameters.cuh"
#include "pipeline/geometry.cuh"
#include "tile/prefetch.none.cuh"

struct Span {
  const Input* in;  // where place 0 would be
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
  const u32 offset = u32(reinterpret_cast<u64>(in) % grid_bytes / sizeof(Input));
  const u32 past = u32(reinterpret_cast<u64>(out - offset) % 32);
  return {in - offset,
          out - offset,
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

// Asks for tile `tile` ahead of time, by one thread.
__device__ __forceinline__ void prefetch_arrays(const Arguments& arguments, u64 tile) {
  prefetch_tile<tile_places>(arguments.in, arguments.n, tile);
}

// Whether results take the place of items that other tiles read. They may at one address only (runtime/plan.cpp).
__device__ __forceinline__ bool replaces_items(const Span& span) {
  return results_replace_items && static_cast<const void*>(span.in) == span.out;
}

// Where a part of the results begins, of which there is one, and for how many results it has room.
__device__ __forceinline__ Output* begin_of_part(const Span& span, int) { return span.out + span.begin; }

__device__ __forceinline__ u64 room_of_part(const Span& span, int) { return span.capacity; }
