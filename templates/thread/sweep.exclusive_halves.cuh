#pragma once

#include "parameters.cuh"
#include "thread/narrow.cuh"
#include "thread/results.cuh"
#include "thread/vector.cuh"

// The initial value stands before the first item of an exclusive scan, so every thread has a carry.
constexpr bool has_initial = true;

// Writes for each of this thread's items [begin, end) the fold of the carry and the items before it. Results may go
// to the memory of `from`.
template <bool whole, typename Results>
__device__ __forceinline__ void sweep_items(const Input* from, Results& results, int begin, int end, bool,
                                            Accumulator carry) {
  constexpr int item_bits = 8 * sizeof(Input);
  InputVector vectors[vectors_per_thread];
  load_vectors(from, vectors);
  u32 running = in_both_halves(carry);
  u32 before = running;  // the folds up to the items of the word before
#pragma unroll
  for (int v = 0; v < vectors_per_thread; ++v) {
    if (!whole) fill_outside(vectors[v], begin - v * vector_items, end - v * vector_items, neutral);
    ResultVector result;
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      const u32 folds = folds_of_word(vectors[v].vector.word[w], running);
      result.chunk[0].word[w] = shift_right(before, folds, 32 - item_bits);
      before = folds;
    }
    results.put(v, result);
  }
}
