// A generated source has its own text in this place, made from the arrays of the problem. Here, those of select_if.
#pragma once

#include "parameters.cuh"
#include "thread/load_places.cuh"
#include "pipeline/fill.bulk.cuh"
#include "pipeline/parts.cuh"
#include "pipeline/span.cuh"

struct Parts;

// From one of a stage's places on.
struct Places {
  const Parts* parts;
  int first;
};

struct Parts {
  unsigned char in[part_bytes<Input>(0)];

  __device__ __forceinline__ Places operator+(int first) const { return {this, first}; }
};

struct alignas(128) Stage {
  Parts item;
};

using StageItems = Parts&;

// Begins to load a tile into a stage, by one warp. The phase of `full` ends when the tile is loaded.
__device__ __forceinline__ void fill_stage(Parts& to, const Span& span, u32 tile, PhaseBarrier* full) {
  const Piece pieces[] = {begin_part(to.in, span.in, 0, 0, span, tile)};
  fill_parts(pieces, full);
}

// A thread's items.
struct PlacedItems {
  ThreadItems<Input> in;
  u64 index;  // of place 0
};

// Loads a thread's items.
__device__ __forceinline__ void load_items(const Span& span, u32 tile, const Places& places, PlacedItems& items) {
  items.index = u64(tile) * tile_places + u64(places.first) - span.begin;
  const Input* const in = places_in(places.parts->in, span.in, 0) + places.first;
  load_places(in, items.in);
}

// Item i of a thread. Places before `begin` hold no item.
__device__ __forceinline__ Item item_at(const PlacedItems& items, int i, int begin) {
  Item item;
  item.in = items.in[i];
  return item;
}

// The item at a place that holds one.
__device__ __forceinline__ Item item_in(const Span& span, u32 tile, const Parts& parts, int place) {
  Item item;
  const Input* const in = places_in(parts.in, span.in, 0) + place;
  item.in = in[0];
  item.index = u64(tile) * tile_places + u64(place) - span.begin;
  return item;
}
