#pragma once

#include "algorithm/hooks.inclusive_scan.cuh"
#include "parameters.cuh"
#include "thread/operator.plus.cuh"

// Scans the first `valid` of a thread's items from the carry on, if there is one, and emits a result at each place.
template <bool whole>
__device__ __forceinline__ void thread_scan(const Accumulator (&items)[items_per_thread], int valid, bool has_carry,
                                            Accumulator carry, Output (&results)[items_per_thread]) {
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (whole || i < valid) {
      const Accumulator inclusive = has_initial || i > 0 || has_carry ? combine(carry, items[i]) : items[i];
      results[i] = emit(carry, inclusive);
      carry = inclusive;
    }
  }
}
