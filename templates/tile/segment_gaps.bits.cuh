// Segments with gaps between them: which items of a tile lie in a gap. Each thread searches for its own items, where
// the tile has any offset.
#pragma once

#include "parameters.cuh"
#include "thread/segment_gaps.cuh"
#include "tile/geometry.cuh"
#include "tile/segment_marks.cuh"

// Which items of a tile lie in no segment.
struct SegmentGaps {
  bool may_be;  // whether any may; the same in all threads
  GapBits<items_per_thread> own;
};

// Of the `valid` items of a tile from item `first` on.
__device__ __forceinline__ SegmentGaps segment_gaps(const OffsetRange& range, const SegmentBegins& begins, u64 first,
                                                    int valid) {
  SegmentGaps gaps = {};
  gaps.may_be = begins.begin != begins.end || begins.begin % 2 == 0;
  if (!gaps.may_be) return gaps;
  gaps.own = find_gaps<items_per_thread>({range.offsets, begins.begin, begins.end},
                                         first + u64(thread_index() * items_per_thread), items_of_thread(valid));
  return gaps;
}
