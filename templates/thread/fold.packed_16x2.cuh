// Folds this thread's items [begin, end) of thread_items, at least one, two at a time.
#pragma once

#include "parameters.cuh"
#include "operator/fold_16x2.cuh"
#include "thread/load_vectors.forward.cuh"
#include "thread/vector.cuh"

template <bool whole>
__device__ __forceinline__ Accumulator fold_items(const Input* from, int begin, int end) {
  InputVector vectors[vectors_per_thread];
  load_vectors(from, vectors);
  u32 packed = broadcast_16x2(identity);
#pragma unroll
  for (int v = 0; v < vectors_per_thread; ++v) {
    if (!whole) fill_outside(vectors[v], begin - v * vector_items, end - v * vector_items, identity);
#pragma unroll
    for (int w = 0; w < 4; ++w) fold_word_16x2(packed, vectors[v].vector.word[w]);
  }
  return fold_16x2(packed);
}
