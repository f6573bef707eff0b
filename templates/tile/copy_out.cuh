#pragma once

#include "parameters.cuh"

// Read before the first of them is written: the compiler cannot know that source and destination differ.
constexpr int vectors_at_once = 5;

// The 16 bytes that begin `words` words and `bits` bits behind the beginning of `low`, which `high` follows.
template <int words>
__device__ __forceinline__ Vector<16> vector_within(const Vector<16>& low, const Vector<16>& high, u32 bits) {
  const u32 word[8] = {low.word[0],  low.word[1],  low.word[2],  low.word[3],
                       high.word[0], high.word[1], high.word[2], high.word[3]};
  Vector<16> within;
#pragma unroll
  for (int w = 0; w < 4; ++w) within.word[w] = shift_right(word[words + w], word[words + w + 1], bits);
  return within;
}

// Copies vectors that begin `words` words and `bits` bits behind those of the source, by one warp: neighbouring lanes
// write neighbouring vectors. `next`: 1 if they reach into the next vector of the source, else 0.
template <int words>
__device__ __forceinline__ void copy_vectors(Vector<16>* to, const Vector<16>* from, int vectors, int next, u32 bits) {
  for (int v = lane_index(); v < vectors; v += vectors_at_once * warp_size) {
    Vector<16> low[vectors_at_once], high[vectors_at_once];
#pragma unroll
    for (int k = 0; k < vectors_at_once; ++k) {
      const int at = v + k * warp_size;
      if (at >= vectors) continue;
      low[k] = from[at];
      high[k] = from[at + next];
    }
#pragma unroll
    for (int k = 0; k < vectors_at_once; ++k) {
      const int at = v + k * warp_size;
      if (at < vectors) to[at] = vector_within<words>(low[k], high[k], bits);
    }
  }
}

// Copies items [begin, end) by one warp, however the vectors of source and destination lie to each other: by vectors of
// the destination, and by items before the first and behind the last. `from` begins at a vector.
__device__ __forceinline__ void copy_out(Output* to, const Output* from, int begin, int end) {
  constexpr u32 items = 16 / sizeof(Output);  // of a vector
  const int lane = lane_index();
  const u32 past_vector = u32(reinterpret_cast<u64>(to + begin) % 16 / sizeof(Output));
  const int aligned = begin + int((items - past_vector) % items);
  const int first = aligned < end ? aligned : end, vectors = (end - first) / int(items);
  const u32 skew = u32(aligned) % items;
  Vector<16>* const destination = reinterpret_cast<Vector<16>*>(to + first);
  const Vector<16>* const source = reinterpret_cast<const Vector<16>*>(from) + u32(aligned) / items;
  const int next = skew == 0 ? 0 : 1;
  const u32 bits = skew * sizeof(Output) % 4 * 8;
  switch (skew * sizeof(Output) / 4) {
    case 0:
      copy_vectors<0>(destination, source, vectors, next, bits);
      break;
    case 1:
      copy_vectors<1>(destination, source, vectors, next, bits);
      break;
    case 2:
      copy_vectors<2>(destination, source, vectors, next, bits);
      break;
    default:
      copy_vectors<3>(destination, source, vectors, next, bits);
  }
  const int head = begin + lane, tail = first + vectors * int(items) + lane;
  if (head < first) to[head] = from[head];
  if (tail < end) to[tail] = from[tail];
}
