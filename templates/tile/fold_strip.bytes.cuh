#pragma once

#include "parameters.cuh"
#include "thread/operator.plus.cuh"
#include "tile/geometry.cuh"

constexpr int strip_words = load_vector_bytes / 4;

union StripWords {
  Vector<load_vector_bytes> vector;
  u32 word[strip_words];
};

// Adds up this thread's share of a whole aligned tile of bytes, four at a time: neighbouring threads read neighbouring
// vectors.
__device__ __forceinline__ Accumulator fold_strip(const Input* from) {
  constexpr int vectors = items_per_thread / load_vector_bytes;
  StripWords loaded[vectors];
#pragma unroll
  for (int v = 0; v < vectors; ++v) {
    loaded[v].vector = reinterpret_cast<const Vector<load_vector_bytes>*>(from)[v * threads_per_block + thread_index()];
  }
  u32 sum = 0;
#pragma unroll
  for (int v = 0; v < vectors; ++v) {
#pragma unroll
    for (int w = 0; w < strip_words; ++w) sum = add_bytes(loaded[v].word[w], sum, Input());
  }
  return Accumulator(sum);
}
