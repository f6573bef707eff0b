// The parts of a stable partition: part 0 is in front, and part 1 behind it, in the same array.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "algorithm/limits.none.cuh"
#include "parameters.cuh"

constexpr int parts = 2;

// The part of an item that contributes so much.
__device__ __forceinline__ u32 part_of(Local item) { return has_result(item) ? 0 : 1; }

// How many of `items` items, which combine to `fold`, go to a part.
template <typename Fold>
__device__ __forceinline__ u64 items_of_part(const Fold& fold, u64 items, int part) {
  return part == 0 ? u64(fold) : items - u64(fold);
}

// How many items of all are in front, as a step before has counted. Only after the wait for the previous kernel.
__device__ __forceinline__ u64 front_of(const Arguments& arguments) { return *arguments.total; }

// Where a part begins. `front`: how many items of all are in front.
__device__ __forceinline__ Output* begin_of_part(const Arguments& arguments, u64 front, int part) {
  return part == 0 ? arguments.out : arguments.out + front;
}

// For how many items a part has room. The count is another one than this call's only if another call counts at the same
// time in the same scratch; nothing is written beyond the output even then.
__device__ __forceinline__ u64 room_of_part(const Arguments& arguments, u64 front, int part) {
  const u64 n = items_of(arguments), before = part == 0 ? 0 : front;
  return before < n ? n - before : 0;
}
