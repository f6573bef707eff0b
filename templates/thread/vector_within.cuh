// Vectors of results that begin anywhere in two others.
#pragma once

#include "parameters.cuh"
#include "thread/vector.cuh"

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
