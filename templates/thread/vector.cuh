// A thread loads its items in vectors of 16 bytes, and stores the results of one such vector at a time, in chunks of at
// most 16 bytes.
#pragma once

#include "parameters.cuh"

constexpr int vector_items = 16 / sizeof(Input);

constexpr int thread_items = vectors_per_thread * vector_items;

constexpr int result_bytes = vector_items * sizeof(Output);

constexpr int result_chunk_bytes = result_bytes < 16 ? result_bytes : 16;

constexpr int result_chunks = result_bytes / result_chunk_bytes;

union InputVector {
  Vector<16> vector;
  Input item[vector_items];
};

union ResultVector {
  Vector<result_chunk_bytes> chunk[result_chunks];
  Output item[vector_items];
};

// Puts `value`, which changes no result, in the place of the items outside [begin, end).
__device__ __forceinline__ void fill_outside(InputVector& vector, int begin, int end, Input value) {
  if (begin <= 0 && end >= vector_items) return;
#pragma unroll
  for (int k = 0; k < vector_items; ++k) {
    if (k < begin || k >= end) vector.item[k] = value;
  }
}
