// Compact emission to one array: where a warp gathers its results in shared memory.
#pragma once

#include "parameters.cuh"
#include "pipeline/geometry.cuh"

// Where a warp's results wait, and where they go. From the output's first vector on they lie at the beginning of the
// warp's places, so that vectors there and here match; the `head` of them before that lie at the end of the places.
// With 16 bytes for each vector of items there is always room.
struct Gathering {
  Output* to;
  Output* places;  // warp_places of them
  u32 head;
};

// Bulk copies are a sixth slower where source and destination do not lie alike on 32 bytes (see pipeline/span.cuh).
__device__ __forceinline__ Gathering gathering_at(Output* to, Output* places) {
  constexpr u32 aligned_bytes = 32;
  return {to, places, u32(-reinterpret_cast<u64>(to) % aligned_bytes) / u32(sizeof(Output))};
}
