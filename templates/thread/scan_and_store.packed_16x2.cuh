// Scans this thread's items [begin, end) from the carry on, if there is one, two at a time, and emits a result at each
// place. Where all items are there, so is the carry. Results may go to the memory of `from`.
#pragma once

#include "algorithm/hooks.inclusive_scan.cuh"
#include "parameters.cuh"
#include "operator/fold_16x2.cuh"
#include "thread/results.forward.cuh"
#include "thread/load_vectors.forward.cuh"
#include "thread/vector.cuh"

template <bool whole, typename Results>
__device__ __forceinline__ void scan_and_store_items(const Input* from, Results& results, int begin, int end,
                                                     bool has_carry, Accumulator carry) {
  InputVector vectors[vectors_per_thread];
  load_vectors(from, vectors);
  u32 running = broadcast_16x2(has_initial || whole || has_carry ? carry : identity);
  u32 previous = running;  // the inclusive prefixes of the previous word
#pragma unroll
  for (int v = 0; v < vectors_per_thread; ++v) {
    if (!whole) fill_outside(vectors[v], begin - v * vector_items, end - v * vector_items, identity);
    ResultVector result;
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      const u32 folds = scan_word_16x2(vectors[v].vector.word[w], running);
      result.chunk[0].word[w] = emit_word(previous, folds, 8 * int(sizeof(Input)));
      previous = folds;
    }
    results.put(v, result);
  }
}
