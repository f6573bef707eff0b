#pragma once

#include "parameters.cuh"
#include "thread/operator.plus.cuh"

// Nothing stands before the first item of an inclusive scan.
constexpr bool has_initial = false;

// Replaces each of the first `valid` items by the fold of the carry, if there is one, and the items up to it.
template <bool whole>
__device__ __forceinline__ void thread_scan(Accumulator (&items)[items_per_thread], int valid, bool has_carry,
                                            Accumulator carry) {
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (whole || i < valid) {
      carry = i > 0 || has_carry ? combine(carry, items[i]) : items[i];
      items[i] = carry;
    }
  }
}
