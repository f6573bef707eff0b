// With which places of a tile in a stage segments begin. One warp marks them while it fills the stage.
#pragma once

#include "parameters.cuh"
#include "pipeline/geometry.cuh"
#include "pipeline/span.cuh"
#include "thread/offset_range.cuh"

// Words of marks: bit p % 32 of word p / 32 is set if a segment begins with the item of place p. One more can be read.
constexpr int mark_words = tile_places / 32 + 1;

// The marks of a tile, and the places of the offsets within it.
struct SegmentMarks {
  u64 begin, end;
  u32 words[mark_words];
};

// Marks those of the offsets from place `at` on that lie within the tile's places, of which place 0 holds the item with
// index `zero`: `per_lane` by each lane of a warp. Returns how many were before the tile's last place.
template <int per_lane>
__device__ __forceinline__ u32 mark_places(const OffsetRange& range, u64 at, u64 zero, const Extent& extent,
                                           SegmentMarks& marks) {
  u64 place[per_lane];
  bool before[per_lane];
#pragma unroll
  for (int k = 0; k < per_lane; ++k) {
    const u64 i = at + u64(k * warp_size + lane_index());
    place[k] = i < range.end ? offset_at(range, i) : ~u64(0);
  }
  u32 count = 0;
#pragma unroll
  for (int k = 0; k < per_lane; ++k) {
    const u64 end = zero + u64(extent.end);
    before[k] = place[k] < end;
    place[k] -= zero;
    if (before[k] && place[k] >= u64(extent.begin) && place[k] < u64(extent.end)) {
      or_shared(&marks.words[place[k] / 32], 1u << (place[k] % 32));
    }
    count += count_bits(warp_ballot(before[k]));
  }
  return count;
}

// Marks the places of a tile with which segments begin, by one warp. `items`: of the array.
__device__ __forceinline__ void mark_segments(const OffsetRange& range, u64 items, u64 zero, const Extent& extent,
                                              bool is_first, SegmentMarks& marks) {
  constexpr int few = 4, many = 16;  // offsets per lane
  for (int i = lane_index(); i < mark_words; i += warp_size) marks.words[i] = 0;
  const u64 first = zero + u64(extent.begin);
  const u64 guess = u64(float(first) / float(items) * float(range.end));  // of segments that are about as long
  const u64 begin =
      find_place_near(guess, range.begin, range.end, [&](u64 place) { return offset_at(range, place) < first; });
  warp_barrier();
  u64 at = begin;
  u32 count = mark_places<few>(range, at, zero, extent, marks), looked_at = few * warp_size;
  at += count;
  while (count == looked_at) {
    // Many equal offsets are those of empty segments: the last one is looked for.
    const u64 last = offset_at(range, at - 1);
    if (offset_at(range, at - count) == last) {
      at = find_place(at, range.end, [&](u64 place) { return offset_at(range, place) <= last; });
    }
    looked_at = many * warp_size;
    count = mark_places<many>(range, at, zero, extent, marks);
    at += count;
  }
  if (lane_index() == 0) {
    if (is_first) or_shared(&marks.words[extent.begin / 32], 1u << (extent.begin % 32));
    marks.begin = begin;
    marks.end = at;
  }
}

// Of `items` places from place `first` on.
template <int items>
__device__ __forceinline__ RowBegins<items> marked_places(const SegmentMarks& marks, int first) {
  RowBegins<items> begins;
#pragma unroll
  for (int w = 0; w < (items + 31) / 32; ++w) {
    const int at = first / 32 + w;
    begins.words[w] = first % 32 == 0 ? marks.words[at] : shift_right(marks.words[at], marks.words[at + 1], first % 32);
  }
  return begins;
}
