#pragma once

#include "parameters.cuh"
#include "thread/operator.plus.cuh"

// The initial value stands before the first item of an exclusive scan, so every thread has a carry.
constexpr bool has_initial = true;

// Replaces each of the first `valid` items by the fold of the carry and the items before it.
template <bool whole>
__device__ __forceinline__ void thread_scan(Accumulator (&items)[items_per_thread], int valid, bool,
                                            Accumulator carry) {
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (whole || i < valid) {
      const Accumulator next = combine(carry, items[i]);
      items[i] = carry;
      carry = next;
    }
  }
}
