// Segments with gaps between them: which of a thread's items lie in a gap.
#pragma once

#include "parameters.cuh"
#include "thread/offset_range.cuh"
#include "algorithm/offsets.pairs.cuh"

// Bit i % 32 of word i / 32: whether item i lies in no segment.
template <int items>
struct GapBits {
  u32 words[(items + 31) / 32];
};

// Of the `valid` items from item `first` on, by one thread. Of equal offsets the last one counts. `range`: at least the
// offsets that lie within these items.
template <int items>
__device__ __forceinline__ GapBits<items> find_gaps(const OffsetRange& range, u64 first, int valid) {
  GapBits<items> gaps = {};
  u64 at = find_offset(range, first + 1);
  for (int from = 0; from < valid;) {
    const u64 place = at < range.end ? offset_at(range, at) - first : u64(valid);
    const int to = place < u64(valid) ? int(place) : valid;
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (at % 2 == 0 && i >= from && i < to) gaps.words[i / 32] |= 1u << (i % 32);
    }
    from = to;
    if (from < valid) at = find_offset({range.offsets, at + 1, range.end}, first + u64(from) + 1);
  }
  return gaps;
}

template <int items>
__device__ __forceinline__ bool is_in_gap(const GapBits<items>& gaps, int i) {
  return (gaps.words[i / 32] & (1u << (i % 32))) != 0;
}
