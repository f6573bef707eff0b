// Select: the items for which a predicate holds, in their order.
#pragma once

#include "algorithm/kept.cuh"
#include "algorithm/kept_item.cuh"
#include "operator/predicate.less.cuh"
#include "parameters.cuh"

// What an item contributes: 1 if it is kept.
__device__ __forceinline__ Local lift(const Item& item, const Scalars& scalars) {
  return holds(item.in, scalars.threshold) ? 1 : 0;
}

// Which of four items of one byte each are kept: bit 7 of a byte says so of the item there; all other bits are 0.
__device__ __forceinline__ u32 kept_bytes(u32 items, const Scalars& scalars) {
  return holds_in_bytes(items, pick_bytes(u32(scalars.threshold), 0, 0x0000), Input());
}
