// Scans this thread's items [begin, end) from the carry on, if there is one, and emits a result at each place. Where
// all items are there, so is the carry. Results may go to the memory of `from`.
#pragma once

#include "algorithm/hooks.inclusive_scan.cuh"
#include "algorithm/lift.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "thread/results.forward.cuh"
#include "thread/load_vectors.forward.cuh"
#include "thread/vector.cuh"

template <bool whole, typename Results>
__device__ __forceinline__ void scan_and_store_items(const Input* from, Results& results, int begin, int end,
                                                     bool has_carry, Accumulator carry) {
  InputVector vectors[vectors_per_thread];
  load_vectors(from, vectors);
#pragma unroll
  for (int v = 0; v < vectors_per_thread; ++v) {
    ResultVector result;
#pragma unroll
    for (int k = 0; k < vector_items; ++k) {
      const int i = v * vector_items + k;
      if (whole || (i >= begin && i < end)) {
        const Accumulator item = lift(vectors[v].item[k]);
        // Before the operator is applied, where that is possible: values of 2 bytes then take an instruction less each.
        if (!emits_inclusive) result.item[k] = Output(emit(carry, carry));
        const Accumulator inclusive = has_initial || whole || has_carry ? combine(carry, item) : item;
        if (emits_inclusive) result.item[k] = Output(emit(carry, inclusive));
        carry = inclusive;
        has_carry = true;
      }
    }
    results.put(v, result);
  }
}
