// How many items a call has, and for how many results there is room: the number of items may lie in device memory, and
// there may be room for fewer results than items.
#pragma once

#include "parameters.cuh"

constexpr bool has_limits = true;

// Number of items: at most `n`, for which the host launches the kernel. Only after the wait for the previous kernel.
__device__ __forceinline__ u64 items_of(const Arguments& arguments) {
  if (arguments.items_bytes == 0) return arguments.n;
  const u64 items = arguments.items_bytes == 4 ? *static_cast<const u32*>(arguments.items)
                                               : *static_cast<const u64*>(arguments.items);
  return items < arguments.n ? items : arguments.n;
}

// Whether a block has items, of which the first so many have.
__device__ __forceinline__ bool is_below(u32 block, u32 blocks) { return block < blocks; }

// Number of results that there is room for.
__device__ __forceinline__ u64 capacity_of(const Arguments& arguments) { return arguments.capacity; }

// Whether there is room for the result `slot`.
__device__ __forceinline__ bool has_room(u64 capacity, u64 slot) { return slot < capacity; }

// Of `count` results from slot `first` on, the number of those that there is room for.
__device__ __forceinline__ u32 results_with_room(u64 capacity, u64 first, u32 count) {
  const u64 left = capacity > first ? capacity - first : 0;
  return left < count ? u32(left) : count;
}
