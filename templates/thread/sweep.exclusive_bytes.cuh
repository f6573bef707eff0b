#pragma once

#include "parameters.cuh"
#include "thread/byte_sums.cuh"
#include "thread/results.cuh"
#include "thread/vector.cuh"

// The initial value stands before the first item of an exclusive scan, so every thread has a carry.
constexpr bool has_initial = true;

// Writes for each of this thread's bytes [begin, end) the sum of the carry and the bytes before it. Results may go to
// the memory of `from`.
template <bool whole, typename Results>
__device__ __forceinline__ void sweep_items(const Input* from, Results& results, int begin, int end, bool,
                                            Accumulator carry) {
  InputVector vectors[vectors_per_thread];
  load_vectors(from, vectors);
  RunningSum running = begin_sum(carry);
  u32 before = u32(u8(carry)) << 24;  // the sums up to the bytes of the word before
#pragma unroll
  for (int v = 0; v < vectors_per_thread; ++v) {
    if (!whole) fill_outside(vectors[v], begin - v * vector_items, end - v * vector_items, 0);
    ResultVector result;
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      const u32 sums = sums_of_bytes(vectors[v].vector.word[w], running);
      result.chunk[0].word[w] = shift_right(before, sums, 24);
      before = sums;
    }
    results.put(v, result);
  }
}
