// Stable partition: the items for which a predicate holds are part 0, the others, behind them, part 1. How many are in
// front was counted before.
#pragma once

#include "algorithm/kept.cuh"
#include "operator/predicate.less.cuh"
#include "parameters.cuh"

constexpr int parts = 2;

// What an item contributes: 1 if it goes to the front.
__device__ __forceinline__ Local lift(const Item& item, const Scalars& scalars) {
  return holds(item.in, scalars.threshold) ? 1 : 0;
}

// The part of an item that contributes so much.
__device__ __forceinline__ u32 part_of(Local item) { return has_result(item) ? 0 : 1; }

// How many of `items` items, which combine to `fold`, go to a part.
template <typename Fold>
__device__ __forceinline__ u64 items_of_part(const Fold& fold, u64 items, int part) {
  return part == 0 ? u64(fold) : items - u64(fold);
}

// Where a part begins. Only after the wait for the previous kernel.
__device__ __forceinline__ Output* begin_of_part(const Arguments& arguments, int part) {
  return part == 0 ? arguments.out : arguments.out + *arguments.total;
}
