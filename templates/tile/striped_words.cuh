#pragma once

#include "parameters.cuh"
#include "tile/geometry.cuh"

// A thread's share of a whole aligned tile in vectors: neighbouring threads read neighbouring ones.
constexpr int strip_words = load_vector_bytes / 4;

constexpr int strip_vectors = items_per_thread * int(sizeof(Input)) / load_vector_bytes;

union StripWords {
  Vector<load_vector_bytes> vector;
  u32 word[strip_words];
};

__device__ __forceinline__ void load_strip_words(const Input* from, StripWords (&loaded)[strip_vectors]) {
#pragma unroll
  for (int v = 0; v < strip_vectors; ++v) {
    loaded[v].vector = reinterpret_cast<const Vector<load_vector_bytes>*>(from)[v * threads_per_block + thread_index()];
  }
}
