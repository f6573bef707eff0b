// Offsets at which segments begin and end, in ascending order; equal ones are empty segments. Searches end, and stay
// within the range, whatever is in memory.
#pragma once

#include "parameters.cuh"
#include "thread/row_begins.cuh"

// The offsets at [begin, end).
struct OffsetRange {
  const Key* offsets;
  u64 begin, end;
};

__device__ __forceinline__ u64 offset_at(const OffsetRange& range, u64 i) { return u64(range.offsets[i]); }

// The place of the first offset that is at least `least`, by one thread; range.end if there is none.
__device__ __forceinline__ u64 find_offset(const OffsetRange& range, u64 least) {
  u64 begin = range.begin, end = range.end;
  while (begin < end) {
    const u64 middle = begin + (end - begin) / 2;
    if (offset_at(range, middle) < least) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

// The first place in [begin, end) for which `is_before` does not hold, if it holds for all places before and for none
// behind; `end` if it holds for all. By all lanes of a warp, each of which looks at one place in a round.
template <typename IsBefore>
__device__ __forceinline__ u64 find_place(u64 begin, u64 end, const IsBefore& is_before) {
  while (begin < end) {
    const u64 step = (end - begin - 1) / warp_size + 1, place = begin + u64(lane_index()) * step;
    const u32 others = ~warp_ballot(place < end && is_before(place));
    const int before = others == 0 ? warp_size : lowest_bit(others);
    if (before == 0) return begin;
    const u64 last = begin + u64(before) * step;
    begin = last - step + 1;
    end = last < end ? last : end;
  }
  return begin;
}

// With which of the `valid` items from item `first` on a segment begins: by one thread, which skips empty segments.
template <int items>
__device__ __forceinline__ RowBegins<items> search_begins(const OffsetRange& range, u64 first, int valid) {
  RowBegins<items> begins;
#pragma unroll
  for (int w = 0; w < (items + 31) / 32; ++w) begins.words[w] = 0;
  u64 at = find_offset(range, first);
  for (int found = 0; found < valid && at < range.end; ++found) {
    const u64 offset = offset_at(range, at), place = offset - first;
    if (place >= u64(valid)) break;
#pragma unroll
    for (int w = 0; w < (items + 31) / 32; ++w) {
      if (int(place) / 32 == w) begins.words[w] |= 1u << (int(place) % 32);
    }
    at = find_offset({range.offsets, at + 1, range.end}, offset + 1);
  }
  return begins;
}
