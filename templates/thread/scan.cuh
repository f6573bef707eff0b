// Scans the first `valid` of a thread's items from the carry on, if there is one, and replaces each by its result.
#pragma once

#include "algorithm/hooks.inclusive_scan.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"

template <bool whole>
__device__ __forceinline__ void thread_scan(Accumulator (&items)[items_per_thread], int valid, bool has_carry,
                                            Accumulator carry) {
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (whole || i < valid) {
      const Accumulator inclusive = has_initial || i > 0 || has_carry ? combine(carry, items[i]) : items[i];
      items[i] = emit(carry, inclusive);
      carry = inclusive;
    }
  }
}
