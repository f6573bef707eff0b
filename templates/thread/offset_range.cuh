// Offsets at which segments begin and end, in ascending order; equal ones are empty segments. Searches end, and stay
// within the range, whatever is in memory.
#pragma once

#include "parameters.cuh"
#include "algorithm/offsets.one_array.cuh"
#include "thread/row_begins.cuh"

// Places that a lane of a warp looks at in a round of a search.
constexpr int places_per_lane = 4;
constexpr u64 places_of_round = u64(places_per_lane) * warp_size;

// The offsets at [begin, end).
struct OffsetRange {
  Offsets offsets;
  u64 begin, end;
};

__device__ __forceinline__ u64 offset_at(const OffsetRange& range, u64 i) { return offset_at(range.offsets, i); }

// An equal share of the offsets for each tile; not few, so that few tiles have to do with a run of equal ones.
__device__ __forceinline__ u64 share_of_offsets(u64 offsets, u64 tiles) {
  constexpr u64 fewest = 1024;
  const u64 even = (offsets + tiles - 1) / tiles;
  return even > fewest ? even : fewest;
}

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

// How many of the places begin, begin + step and so on, as many as a warp looks at in a round, are before `end` and
// have `is_before` hold. By all lanes of a warp; the reads of a lane overlap.
template <typename IsBefore>
__device__ __forceinline__ u32 count_before(u64 begin, u64 end, u64 step, const IsBefore& is_before) {
  bool before[places_per_lane];
#pragma unroll
  for (int k = 0; k < places_per_lane; ++k) {
    const u64 place = begin + u64(k * warp_size + lane_index()) * step;
    before[k] = place < end && is_before(place);
  }
  u32 count = 0;
#pragma unroll
  for (int k = 0; k < places_per_lane; ++k) count += count_bits(warp_ballot(before[k]));
  return count;
}

// The first place in [begin, end) for which `is_before` does not hold, if it holds for all places before and for none
// behind; `end` if it holds for all. By all lanes of a warp. A round takes the time of a read from memory.
template <typename IsBefore>
__device__ __forceinline__ u64 find_place(u64 begin, u64 end, const IsBefore& is_before) {
  while (begin < end) {
    const u64 step = (end - begin - 1) / places_of_round + 1;
    const u64 before = count_before(begin, end, step, is_before);
    if (before == 0) return begin;
    const u64 last = begin + before * step;
    begin = last - step + 1;
    end = last < end ? last : end;
  }
  return begin;
}

// A place at most a round before that place, which is expected near `guess`: by one round, if it is within half a round
// of rounds of it.
template <typename IsBefore>
__device__ __forceinline__ u64 approach_place(u64 guess, u64 begin, u64 end, const IsBefore& is_before) {
  constexpr u64 near = places_of_round * places_of_round;
  u64 from = begin, step = (end - begin - 1) / places_of_round + 1;
  if (end - begin > near) {
    from = guess > begin + near / 2 ? guess - near / 2 : begin;
    if (from > end - near) from = end - near;
    step = places_of_round;
  }
  while (end - begin > places_of_round) {
    const u64 before = count_before(from, end, step, is_before), last = from + before * step;
    if (before > 0) begin = last - step + 1;
    if (before < places_of_round && last < end) end = last;
    from = begin;
    step = (end - begin - 1) / places_of_round + 1;
  }
  return begin;
}

// The same place where it is expected near `guess`: two rounds, if it is.
template <typename IsBefore>
__device__ __forceinline__ u64 find_place_near(u64 guess, u64 begin, u64 end, const IsBefore& is_before) {
  const u64 from = approach_place(guess, begin, end, is_before);
  const u64 to = from + places_of_round;
  return find_place(from, to < end ? to : end, is_before);
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
