// Loads a thread's items, vector by vector, the last one in memory first.
#pragma once

#include "parameters.cuh"
#include "thread/reverse.cuh"
#include "thread/vector.cuh"

__device__ __forceinline__ void load_vectors(const Input* from, InputVector (&vectors)[vectors_per_thread]) {
#pragma unroll
  for (int v = 0; v < vectors_per_thread; ++v) {
    InputVector loaded;
    loaded.vector = reinterpret_cast<const Vector<16>*>(from)[vectors_per_thread - 1 - v];
    reverse_items<vector_items>(loaded, vectors[v]);
  }
}
