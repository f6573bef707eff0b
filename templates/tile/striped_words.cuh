// A thread's share of a whole aligned tile in vectors: neighbouring threads read neighbouring ones.
#pragma once

#include "parameters.cuh"
#include "tile/geometry.cuh"

constexpr int striped_words = load_vector_bytes / 4;

constexpr int striped_vectors = items_per_thread * int(sizeof(Input)) / load_vector_bytes;

union StripedWords {
  Vector<load_vector_bytes> vector;
  u32 word[striped_words];
};

__device__ __forceinline__ void load_striped_words(const Input* from, StripedWords (&loaded)[striped_vectors]) {
#pragma unroll
  for (int v = 0; v < striped_vectors; ++v) {
    loaded[v].vector = reinterpret_cast<const Vector<load_vector_bytes>*>(from)[v * threads_per_block + thread_index()];
  }
}
