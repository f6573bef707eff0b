#pragma once

#include "parameters.cuh"
#include "thread/operator.plus.cuh"
#include "thread/results.cuh"
#include "thread/vector.cuh"

// The initial value stands before the first item of an exclusive scan, so every thread has a carry.
constexpr bool has_initial = true;

// Writes for each of this thread's items [begin, end) the fold of the carry and the items before it. Results may go
// to the memory of `from`.
template <bool whole, typename Results>
__device__ __forceinline__ void sweep_items(const Input* from, Results& results, int begin, int end, bool,
                                            Accumulator carry) {
  InputVector vectors[vectors_per_thread];
  load_vectors(from, vectors);
#pragma unroll
  for (int v = 0; v < vectors_per_thread; ++v) {
    ResultVector result;
#pragma unroll
    for (int k = 0; k < vector_items; ++k) {
      const int i = v * vector_items + k;
      if (whole || (i >= begin && i < end)) {
        const Accumulator item = Accumulator(vectors[v].item[k]);
        result.item[k] = Output(carry);
        carry = combine(carry, item);
      }
    }
    results.put(v, result);
  }
}
