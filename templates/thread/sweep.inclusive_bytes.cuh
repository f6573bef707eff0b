#pragma once

#include "parameters.cuh"
#include "thread/byte_sums.cuh"
#include "thread/vector.cuh"

// Nothing stands before the first item of an inclusive scan.
constexpr bool has_initial = false;

// Writes for each of this thread's bytes [begin, end) the sum of the carry, if there is one, and the bytes up to it.
// Where all items are there, so is the carry. `from` and `to` may be the same memory.
template <bool whole>
__device__ __forceinline__ void sweep_items(const Input* from, Output* to, int begin, int end, bool has_carry,
                                            Accumulator carry) {
  InputVector vectors[vectors_per_thread];
  load_vectors(from, vectors);
  RunningSum running = begin_sum(whole || has_carry ? carry : Accumulator(0));
#pragma unroll
  for (int v = 0; v < vectors_per_thread; ++v) {
    if (!whole) fill_outside(vectors[v], begin - v * vector_items, end - v * vector_items, 0);
    ResultVector result;
#pragma unroll
    for (int w = 0; w < 4; ++w) result.chunk[0].word[w] = sums_of_bytes(vectors[v].vector.word[w], running);
    store_result(to + v * vector_items, result);
  }
}
