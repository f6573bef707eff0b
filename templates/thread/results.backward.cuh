// Where a thread stores its results while it scans: vector after vector, the last one in memory first.
#pragma once

#include "parameters.cuh"
#include "thread/reverse.cuh"
#include "thread/vector.cuh"
#include "thread/vector_within.cuh"

// Stores results at the places of their items.
struct StraightResults {
  Output* to;

  __device__ __forceinline__ void put(int vector, const ResultVector& result) {
    ResultVector reversed;
    reverse_items<vector_items>(result, reversed);
#pragma unroll
    for (int c = 0; c < result_chunks; ++c) {
      const int first = (vectors_per_thread - 1 - vector) * vector_items;
      reinterpret_cast<Vector<result_chunk_bytes>*>(to + first)[c] = reversed.chunk[c];
    }
  }
};

// Stores results shifted, so that vectors here match the vectors of global memory that they go to. Each stored vector
// is the end of one vector of results and the beginning of the next. The end of a warp's last vector and the beginning
// of its first one share a vector: they go behind and before the others.
template <int words>
struct ShiftedResults {
  Vector<16>* to;      // for the end of the vector before this thread's first one, and its beginning; others follow
  Vector<16>* around;  // the same for the thread whose results come first in memory
  u32 bits;            // of the shift, beside whole words
  Vector<16> first;    // the vector that was put first: the thread's last one in memory
  Vector<16> last;     // the vector that was put last

  __device__ __forceinline__ void put(int vector, const ResultVector& result) {
    ResultVector reversed;
    reverse_items<vector_items>(result, reversed);
#pragma unroll
    for (int c = result_chunks - 1; c >= 0; --c) {
      const int at = (vectors_per_thread - 1 - vector) * result_chunks + c;
      const auto& chunk = reinterpret_cast<const Vector<16>&>(reversed.chunk[c]);
      if (at == vectors_per_thread * result_chunks - 1) {
        first = chunk;
      } else {
        to[at + 1] = vector_within<words>(chunk, last, bits);
      }
      last = chunk;
    }
  }

  // Stores the vectors that neighbouring lanes share. After the last put(), by all lanes of a warp.
  __device__ __forceinline__ void finish() {
    const int lane = lane_index();
    const Vector<16> previous = shuffle(first, (lane + 1) % warp_size);
    warp_barrier();  // all lanes have read what may lie there
    *(lane == warp_size - 1 ? around : to) = vector_within<words>(previous, last, bits);
  }
};
