// Offsets of segments: offset i is where segment i begins and segment i - 1 ends.
#pragma once

#include "parameters.cuh"

struct Offsets {
  const Key* offsets;
};

// Whether items may lie between segments.
constexpr bool has_gaps = false;

__device__ __forceinline__ Offsets offsets_of(const Arguments& arguments) { return {arguments.offsets}; }

// Calls use(array, count) with each array of offsets.
template <typename Use>
__device__ __forceinline__ void for_offset_arrays(const Arguments& arguments, const Use& use) {
  use(arguments.offsets, arguments.segments + 1);
}

__device__ __forceinline__ u64 offset_at(const Offsets& all, u64 i) { return u64(all.offsets[i]); }

// How many items offset i lies behind the last one that a vector of four begins with: of such vectors, each load takes
// up to 16 bytes.
__device__ __forceinline__ u64 past_vector(const Offsets& all, u64 i) {
  return reinterpret_cast<u64>(all.offsets + i) / sizeof(Key) % 4;
}

// Loads the offsets from offset i on, with which a vector begins.
__device__ __forceinline__ void load_offset_vectors(const Offsets& all, u64 i, Key (&to)[4]) {
  union {
    Vector<16> vector[4 * sizeof(Key) / 16];
    Key key[4];
  } loaded;
#pragma unroll
  for (u32 v = 0; v < 4 * sizeof(Key) / 16; ++v) {
    loaded.vector[v] = reinterpret_cast<const Vector<16>*>(all.offsets + i)[v];
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) to[k] = loaded.key[k];
}

// How many there are, for at least one segment.
__device__ __forceinline__ u64 count_offsets(const Arguments& arguments) { return arguments.segments + 1; }

// Whether a segment ends at offset i, which is not the first one, and which one.
__device__ __forceinline__ bool ends_segment(u64) { return true; }

__device__ __forceinline__ u64 segment_of_end(u64 i) { return i - 1; }
