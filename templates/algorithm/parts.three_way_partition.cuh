// The parts of a three-way partition, an array each.
#pragma once

#include "value/part_counts.cuh"
#include "parameters.cuh"

constexpr int parts = 3;

// The part of an item that contributes so much.
__device__ __forceinline__ u32 part_of(const PartCounts<u32>& item) {
  return item.first != 0 ? 0 : item.second != 0 ? 1 : 2;
}

// How many of `items` items, which combine to `fold`, go to a part.
template <typename Count>
__device__ __forceinline__ u64 items_of_part(const PartCounts<Count>& fold, u64 items, int part) {
  return part == 0 ? u64(fold.first) : part == 1 ? u64(fold.second) : items - fold.first - fold.second;
}

// Each part has an array of its own, so it does not matter how many items are in front.
__device__ __forceinline__ u64 front_of(const Arguments&) { return 0; }

// Where a part begins.
__device__ __forceinline__ Output* begin_of_part(const Arguments& arguments, u64, int part) {
  return part == 0 ? arguments.first : part == 1 ? arguments.second : arguments.rest;
}

// For how many items a part has room: for all.
__device__ __forceinline__ u64 room_of_part(const Arguments&, u64, int) { return ~u64(0); }
