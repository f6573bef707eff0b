// Where a thread stores its results while it scans: vector after vector, in rising order.
#pragma once

#include "parameters.cuh"
#include "thread/vector.cuh"
#include "thread/vector_within.cuh"

// Stores results at the places of their items.
struct StraightResults {
  Output* to;

  __device__ __forceinline__ void put(int vector, const ResultVector& result) {
#pragma unroll
    for (int c = 0; c < result_chunks; ++c) {
      reinterpret_cast<Vector<result_chunk_bytes>*>(to + vector * vector_items)[c] = result.chunk[c];
    }
  }
};

// Stores results shifted, so that vectors here match the vectors of global memory that they go to. Each stored vector
// is the end of one vector of results and the beginning of the next. The end of a warp's last vector and the beginning
// of its first one share a vector: they go behind and before the others.
template <int words>
struct ShiftedResults {
  Vector<16>* to;      // for the end of the vector before this thread's first one, and its beginning; others follow
  Vector<16>* around;  // the same for lane 0
  u32 bits;            // of the shift, beside whole words
  Vector<16> first;    // this thread's first vector
  Vector<16> last;     // the vector that was put last

  __device__ __forceinline__ void put(int vector, const ResultVector& result) {
#pragma unroll
    for (int c = 0; c < result_chunks; ++c) {
      const int at = vector * result_chunks + c;
      const auto& chunk = reinterpret_cast<const Vector<16>&>(result.chunk[c]);
      if (at == 0) {
        first = chunk;
      } else {
        to[at] = vector_within<words>(last, chunk, bits);
      }
      last = chunk;
    }
  }

  // Stores the vectors that neighbouring lanes share. After the last put(), by all lanes of a warp.
  __device__ __forceinline__ void finish() {
    const int lane = lane_index();
    const Vector<16> previous = shuffle(last, (lane + warp_size - 1) % warp_size);
    warp_barrier();  // all lanes have read what may lie there
    *(lane == 0 ? around : to) = vector_within<words>(previous, first, bits);
  }
};
