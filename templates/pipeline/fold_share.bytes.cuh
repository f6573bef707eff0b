// The number of a thread's items that are kept, of one byte each: four at a time where all are there.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "parameters.cuh"
#include "pipeline/kept.none.cuh"
#include "pipeline/span.cuh"
#include "thread/load_vectors.forward.cuh"
#include "thread/vector.cuh"

// What this thread's items [begin, end) of thread_items, at least one, fold to.
template <bool whole>
__device__ __forceinline__ Local fold_share(const Span&, u32, const Input* items, int begin, int end,
                                            const Scalars& scalars, Kept&) {
  InputVector vectors[vectors_per_thread];
  load_vectors(items, vectors);
  if (whole) {
    u32 sum = 0;  // of bits 7
#pragma unroll
    for (int v = 0; v < vectors_per_thread; ++v) {
#pragma unroll
      for (int w = 0; w < 4; ++w) sum = add_bytes(kept_bytes(vectors[v].vector.word[w], scalars), sum, u8());
    }
    return sum >> 7;
  }
  Local count = 0;
#pragma unroll
  for (int i = 0; i < thread_items; ++i) {
    if (i >= begin && i < end) count += lift(Item{vectors[i / vector_items].item[i % vector_items]}, scalars);
  }
  return count;
}
