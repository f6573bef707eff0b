// Loads a thread's items, vector by vector.
#pragma once

#include "parameters.cuh"
#include "thread/vector.cuh"

__device__ __forceinline__ void load_vectors(const Input* from, InputVector (&vectors)[vectors_per_thread]) {
#pragma unroll
  for (int v = 0; v < vectors_per_thread; ++v) vectors[v].vector = reinterpret_cast<const Vector<16>*>(from)[v];
}
