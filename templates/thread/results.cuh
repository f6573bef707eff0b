// Where a thread stores its results while it scans: vector after vector, in rising order.
#pragma once

#include "parameters.cuh"
#include "thread/vector.cuh"

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

// The 16 bytes that begin `words` words and `bits` bits behind the beginning of `low`, which `high` follows.
template <int words>
__device__ __forceinline__ Vector<16> vector_within(const Vector<16>& low, const Vector<16>& high, u32 bits) {
  constexpr bool whole_words = sizeof(Output) >= 4;
  const u32 word[8] = {low.word[0],  low.word[1],  low.word[2],  low.word[3],
                       high.word[0], high.word[1], high.word[2], high.word[3]};
  Vector<16> within;
#pragma unroll
  for (int w = 0; w < 4; ++w) {
    within.word[w] = whole_words ? word[words + w] : shift_right(word[words + w], word[words + w + 1], bits);
  }
  return within;
}

// Results are shifted only by vectors.
constexpr bool results_can_shift = result_chunk_bytes == 16;

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
