#pragma once

#include "parameters.cuh"
#include "thread/operator.plus.cuh"
#include "thread/results.cuh"
#include "thread/vector.cuh"

// Nothing stands before the first item of an inclusive scan.
constexpr bool has_initial = false;

// Writes for each of this thread's items [begin, end) the fold of the carry, if there is one, and the items up to it.
// Where all items are there, so is the carry. Results may go to the memory of `from`.
template <bool whole, typename Results>
__device__ __forceinline__ void sweep_items(const Input* from, Results& results, int begin, int end, bool has_carry,
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
        carry = whole || has_carry ? combine(carry, item) : item;
        has_carry = true;
        result.item[k] = Output(carry);
      }
    }
    results.put(v, result);
  }
}
