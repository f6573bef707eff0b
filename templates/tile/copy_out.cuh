#pragma once

#include "parameters.cuh"
#include "thread/results.cuh"
#include "tile/out.keep.cuh"

// Copies items [begin, end) by one warp, however the vectors of source and destination lie to each other: by vectors of
// the destination, and by items before the first and behind the last. `from` begins at a vector.
__device__ __forceinline__ void copy_out(Output* to, const Output* from, int begin, int end) {
  constexpr u32 items = 16 / sizeof(Output);  // of a vector
  const int lane = lane_index();
  const u32 past_vector = u32(reinterpret_cast<u64>(to + begin) % 16 / sizeof(Output));
  const int aligned = begin + int((items - past_vector) % items);
  const int first = aligned < end ? aligned : end, vectors = (end - first) / int(items);
  const u32 skew = u32(aligned) % items;
  const Shift by = shift_by(skew * sizeof(Output));
  const int next = skew == 0 ? 0 : 1;  // whether a vector of the destination reaches into the next one of the source
  Vector<16>* const destination = reinterpret_cast<Vector<16>*>(to + first);
  const Vector<16>* const source = reinterpret_cast<const Vector<16>*>(from) + u32(aligned) / items;
  for (int v = lane; v < vectors; v += warp_size) put_vector(destination + v, shifted(source[v], source[v + next], by));
  const int head = begin + lane, tail = first + vectors * int(items) + lane;
  if (head < first) to[head] = from[head];
  if (tail < end) to[tail] = from[tail];
}
