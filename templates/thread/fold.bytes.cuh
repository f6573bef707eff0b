// A thread's sum of bytes, four at a time.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "thread/load_vectors.forward.cuh"
#include "thread/vector.cuh"

// Adds up this thread's items [begin, end) of thread_items, at least one: bytes, four at a time where all are there.
template <bool whole>
__device__ __forceinline__ Accumulator fold_items(const Input* from, int begin, int end) {
  InputVector vectors[vectors_per_thread];
  load_vectors(from, vectors);
  u32 sum = 0;
#pragma unroll
  for (int v = 0; v < vectors_per_thread; ++v) {
    const InputVector& loaded = vectors[v];
    if (whole || (begin <= v * 16 && end >= v * 16 + 16)) {
#pragma unroll
      for (int w = 0; w < 4; ++w) sum = add_bytes(loaded.vector.word[w], sum, Input());
    } else {
#pragma unroll
      for (int k = 0; k < 16; ++k) {
        const int i = v * 16 + k;
        if (i >= begin && i < end) sum += u32(i32(loaded.item[k]));
      }
    }
  }
  return Accumulator(sum);
}
