#pragma once

#include "parameters.cuh"
#include "thread/narrow.cuh"
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
  u32 running = in_both_halves(whole || has_carry ? carry : neutral);
#pragma unroll
  for (int v = 0; v < vectors_per_thread; ++v) {
    if (!whole) fill_outside(vectors[v], begin - v * vector_items, end - v * vector_items, neutral);
    ResultVector result;
#pragma unroll
    for (int w = 0; w < 4; ++w) result.chunk[0].word[w] = folds_of_word(vectors[v].vector.word[w], running);
    results.put(v, result);
  }
}
