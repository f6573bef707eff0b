// Offsets of segments: offset i is where segment i begins and segment i - 1 ends.
#pragma once

#include "parameters.cuh"

struct Offsets {
  const Key* offsets;
};

// Whether items may lie between segments.
constexpr bool has_gaps = false;

__device__ __forceinline__ Offsets offsets_of(const Arguments& arguments) { return {arguments.offsets}; }

__device__ __forceinline__ u64 offset_at(const Offsets& all, u64 i) { return u64(all.offsets[i]); }

// How many there are, for at least one segment.
__device__ __forceinline__ u64 count_offsets(const Arguments& arguments) { return arguments.segments + 1; }

// Whether a segment ends at offset i, which is not the first one, and which one.
__device__ __forceinline__ bool ends_segment(u64) { return true; }

__device__ __forceinline__ u64 segment_of_end(u64 i) { return i - 1; }
