// Segments with gaps between them: which items of a tile lie in a gap. Each thread searches for its own items, where
// the tile has any offset.
#pragma once

#include "parameters.cuh"
#include "thread/offsets.pairs.cuh"
#include "tile/geometry.cuh"
#include "tile/segment_marks.cuh"

// Which items of a tile lie in no segment.
struct SegmentGaps {
  bool may_be;                            // whether any may lie there; the same in all threads
  u32 own[(items_per_thread + 31) / 32];  // of a thread's items: bit i % 32 of word i / 32
};

// Of the `valid` items from item `first` on, by one thread. Of equal offsets the last one counts.
__device__ __forceinline__ void find_gaps(const OffsetRange& range, u64 first, int valid, SegmentGaps& gaps) {
  u64 at = find_offset(range, first + 1);
  for (int from = 0; from < valid;) {
    const u64 place = at < range.end ? offset_at(range, at) - first : u64(valid);
    const int to = place < u64(valid) ? int(place) : valid;
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if (at % 2 == 0 && i >= from && i < to) gaps.own[i / 32] |= 1u << (i % 32);
    }
    from = to;
    if (from < valid) at = find_offset({range.offsets, at + 1, range.end}, first + u64(from) + 1);
  }
}

// Of the `valid` items of a tile from item `first` on.
__device__ __forceinline__ SegmentGaps segment_gaps(const OffsetRange& range, const SegmentBegins& begins, u64 first,
                                                    int valid) {
  SegmentGaps gaps = {};
  gaps.may_be = begins.begin != begins.end || begins.begin % 2 == 0;
  if (gaps.may_be) {
    find_gaps({range.offsets, begins.begin, begins.end}, first + u64(thread_index() * items_per_thread),
              items_of_thread(valid), gaps);
  }
  return gaps;
}

// Whether a thread's item i lies in a gap.
__device__ __forceinline__ bool is_in_gap(const SegmentGaps& gaps, int i) {
  return (gaps.own[i / 32] >> (i % 32) & 1) != 0;
}
