// Pairs of offsets: segment i begins at offset 2 * i and ends at offset 2 * i + 1. What lies between two segments is a
// gap, which begins where one ends.
#pragma once

#include "parameters.cuh"

struct Offsets {
  const Key* begins;
  const Key* ends;
};

// Whether items may lie between segments.
constexpr bool has_gaps = true;

__device__ __forceinline__ Offsets offsets_of(const Arguments& arguments) {
  return {arguments.offsets, arguments.segment_ends};
}

// Calls use(array, count) with each array of offsets.
template <typename Use>
__device__ __forceinline__ void for_offset_arrays(const Arguments& arguments, const Use& use) {
  use(arguments.offsets, arguments.segments);
  use(arguments.segment_ends, arguments.segments);
}

__device__ __forceinline__ u64 offset_at(const Offsets& all, u64 i) {
  return u64((i % 2 == 0 ? all.begins : all.ends)[i / 2]);
}

// How many items offset i lies behind the last one that a vector of four begins with.
__device__ __forceinline__ u64 past_vector(const Offsets&, u64 i) { return i % 4; }

// Loads the offsets from offset i on, with which a vector begins.
__device__ __forceinline__ void load_offset_vectors(const Offsets& all, u64 i, Key (&to)[4]) {
#pragma unroll
  for (int k = 0; k < 4; ++k) to[k] = (k % 2 == 0 ? all.begins : all.ends)[i / 2 + u64(k / 2)];
}

// How many there are, for at least one segment.
__device__ __forceinline__ u64 count_offsets(const Arguments& arguments) { return 2 * arguments.segments; }

// Whether a segment ends at offset i, which is not the first one, and which one.
__device__ __forceinline__ bool ends_segment(u64 i) { return i % 2 != 0; }

__device__ __forceinline__ u64 segment_of_end(u64 i) { return i / 2; }
