// Adds up this thread's bytes [begin, end) from the carry on, if there is one, four at a time, and emits a result at
// each place. Where all items are there, so is the carry. Results may go to the memory of `from`.
#pragma once

#include "algorithm/hooks.inclusive_scan.cuh"
#include "parameters.cuh"
#include "operator/byte_sums.cuh"
#include "thread/results.forward.cuh"
#include "thread/load_vectors.forward.cuh"
#include "thread/vector.cuh"

template <bool whole, typename Results>
__device__ __forceinline__ void scan_and_store_items(const Input* from, Results& results, int begin, int end,
                                                     bool has_carry, Accumulator carry) {
  InputVector vectors[vectors_per_thread];
  load_vectors(from, vectors);
  RunningSum running = begin_sum(has_initial || whole || has_carry ? carry : Accumulator(0));
  u32 previous = u32(u8(carry)) << 24;  // the inclusive prefixes of the previous word
#pragma unroll
  for (int v = 0; v < vectors_per_thread; ++v) {
    if (!whole) fill_outside(vectors[v], begin - v * vector_items, end - v * vector_items, 0);
    ResultVector result;
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      const u32 sums = sums_of_bytes(vectors[v].vector.word[w], running);
      result.chunk[0].word[w] = emit_word(previous, sums, 8);
      previous = sums;
    }
    results.put(v, result);
  }
}
