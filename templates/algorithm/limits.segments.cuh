// How many items a call has: those from the first offset of its segments on, up to the last one. Only after the wait
// for the previous kernel. Offsets that are wrong are taken for the nearest that are possible.
#pragma once

#include "parameters.cuh"
#include "algorithm/offsets.one_array.cuh"

constexpr bool has_limits = true;

// The first item of all segments.
__device__ __forceinline__ u64 first_item(const Offsets& offsets, u64 n) {
  const u64 first = offset_at(offsets, 0);
  return first < n ? first : n;
}

__device__ __forceinline__ u64 items_of(const Arguments& arguments) {
  const Offsets offsets = offsets_of(arguments);
  const u64 first = first_item(offsets, arguments.n), last = offset_at(offsets, count_offsets(arguments) - 1);
  const u64 end = last < arguments.n ? last : arguments.n;
  return end > first ? end - first : 0;
}

__device__ __forceinline__ bool is_below(u32 block, u32 blocks) { return block < blocks; }

__device__ __forceinline__ u64 capacity_of(const Arguments&) { return ~u64(0); }

__device__ __forceinline__ bool has_room(u64, u64) { return true; }

__device__ __forceinline__ u32 results_with_room(u64, u64, u32 count) { return count; }
