// What the schedule lookahead works on: one array that is read, and the parts that its items go to.
#pragma once

#include "algorithm/parts.stable_partition.cuh"
#include "algorithm/limits.none.cuh"
#include "parameters.cuh"
#include "pipeline/geometry.cuh"
#include "tile/prefetch.none.cuh"

struct Span {
  const Input* in;      // where place 0 would be
  Output* part[parts];  // where each part begins
  u64 room[parts];      // for how many items each has room
  u64 begin;            // the first place that holds an item
  u64 end;              // behind the last place that holds an item
  u32 tiles;
};

__device__ __forceinline__ Span span_of_arrays(const Arguments& arguments) {
  const u32 offset = u32(reinterpret_cast<u64>(arguments.in) % grid_bytes / sizeof(Input));
  const u64 front = front_of(arguments);
  Span span;
  span.in = arguments.in - offset;
#pragma unroll
  for (int part = 0; part < parts; ++part) {
    span.part[part] = begin_of_part(arguments, front, part);
    span.room[part] = room_of_part(arguments, front, part);
  }
  span.begin = offset;
  span.end = offset + items_of(arguments);
  span.tiles = u32((span.end + tile_places - 1) / tile_places);
  return span;
}

// Asks for tile `tile` ahead of time, by one thread.
__device__ __forceinline__ void prefetch_arrays(const Arguments& arguments, u64 tile) {
  prefetch_tile<tile_places>(arguments.in, arguments.n, tile);
}

__device__ __forceinline__ Output* begin_of_part(const Span& span, int part) { return span.part[part]; }

__device__ __forceinline__ u64 room_of_part(const Span& span, int part) { return span.room[part]; }

// Whether results take the place of items that other tiles read.
__device__ __forceinline__ bool replaces_items(const Span&) { return false; }
