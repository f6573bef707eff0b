#pragma once

#include "parameters.cuh"
#include "thread/vector.cuh"

// Where a thread's results go while it sweeps: vector after vector, in rising order.

// To the places of the items that they belong to.
struct StraightResults {
  Output* to;

  __device__ __forceinline__ void put(int vector, const ResultVector& result) {
#pragma unroll
    for (int c = 0; c < result_chunks; ++c) {
      reinterpret_cast<Vector<result_chunk_bytes>*>(to + vector * vector_items)[c] = result.chunk[c];
    }
  }
};

// How far to shift, in bytes: 8, 4 and `bits` / 8 of them, 0 to 15 in all.
struct Shift {
  bool two_words;
  bool one_word;
  u32 bits;
};

__device__ __forceinline__ Shift shift_by(u32 bytes) {
  return {bytes % 16 >= 8, bytes % 8 >= 4, bytes % 4 * 8};
}

// The 16 bytes that begin so far behind the beginning of `low`, which `high` follows: whole results.
__device__ __forceinline__ Vector<16> shifted(const Vector<16>& low, const Vector<16>& high, const Shift& by) {
  constexpr bool whole_words = sizeof(Output) >= 4, whole_pairs = sizeof(Output) >= 8;
  const u32 word[8] = {low.word[0],  low.word[1],  low.word[2],  low.word[3],
                       high.word[0], high.word[1], high.word[2], high.word[3]};
  u32 pair[6], single[5];
#pragma unroll
  for (int w = 0; w < 6; ++w) pair[w] = by.two_words ? word[w + 2] : word[w];
#pragma unroll
  for (int w = 0; w < 5; ++w) single[w] = !whole_pairs && by.one_word ? pair[w + 1] : pair[w];
  Vector<16> within;
#pragma unroll
  for (int w = 0; w < 4; ++w) within.word[w] = whole_words ? single[w] : shift_right(single[w], single[w + 1], by.bits);
  return within;
}

// Results are shifted only by vectors.
constexpr bool results_can_shift = result_chunk_bytes == 16;

// To where vectors of global memory lie that results begin up to 16 bytes behind: of two neighbouring vectors of
// results, the end of one and the beginning of the other make one. The end of a warp's last and the beginning of its
// first, which belong behind and before the others, make one, too.
struct ShiftedResults {
  Vector<16>* to;      // for what the vector before this thread's first and that one make; the next one follows
  Vector<16>* around;  // the same of lane 0
  Shift by;
  Vector<16> first;
  Vector<16> last;

  __device__ __forceinline__ void put(int vector, const ResultVector& result) {
#pragma unroll
    for (int c = 0; c < result_chunks; ++c) {
      const int at = vector * result_chunks + c;
      const auto& chunk = reinterpret_cast<const Vector<16>&>(result.chunk[c]);
      if (at == 0) {
        first = chunk;
      } else {
        to[at] = shifted(last, chunk, by);
      }
      last = chunk;
    }
  }

  // After the last vector was put, by all lanes of a warp.
  __device__ __forceinline__ void finish() {
    const int lane = lane_index();
    const Vector<16> before = shuffle(last, (lane + warp_size - 1) % warp_size);
    warp_barrier();  // all lanes have read what may lie there
    *(lane == 0 ? around : to) = shifted(before, first, by);
  }
};
