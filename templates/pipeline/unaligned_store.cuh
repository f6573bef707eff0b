// Stores items from shared memory to any address: vectors there and here need not match.
#pragma once

#include "parameters.cuh"
#include "thread/vector_within.cuh"
#include "pipeline/bulk_store.keep.cuh"

// Copies vectors that begin `words` words and `bits` bits behind those of the source, by one warp. `next`: 1 if they
// reach into the next vector of the source, else 0.
template <int words>
__device__ __forceinline__ void copy_vectors(Vector<16>* to, const Vector<16>* from, int vectors, int next, u32 bits) {
#pragma unroll 1
  for (int v = lane_index(); v < vectors; v += warp_size) {
    store_vector(to + v, vector_within<words>(from[v], from[v + next], bits));
  }
}

// Copies items [begin, end) by one warp, whatever the alignment of the destination: by vectors of
// the destination, and by items before the first and behind the last. `from` begins at a vector.
__device__ __forceinline__ void store_unaligned(Output* to, const Output* from, int begin, int end) {
  constexpr u32 items = 16 / sizeof(Output);  // of a vector
  const int lane = lane_index();
  const u32 past_vector = u32(reinterpret_cast<u64>(to + begin) % 16 / sizeof(Output));
  const int aligned = begin + int((items - past_vector) % items);
  const int first = aligned < end ? aligned : end, vectors = (end - first) / int(items);
  const u32 skew = u32(aligned) % items;
  const u32 bits = skew * sizeof(Output) % 4 * 8;
  const int next = skew == 0 ? 0 : 1;  // whether a vector of the destination reaches into the next one of the source
  Vector<16>* const destination = reinterpret_cast<Vector<16>*>(to + first);
  const Vector<16>* const source = reinterpret_cast<const Vector<16>*>(from) + u32(aligned) / items;
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
