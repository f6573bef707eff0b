// With which places of a tile in a stage segments begin. One warp marks them while the items are loaded.
#pragma once

#include "parameters.cuh"
#include "pipeline/geometry.cuh"
#include "pipeline/span.cuh"
#include "pipeline/offset_samples.cuh"
#include "thread/offset_range.cuh"

// Words of marks: bit p % 32 of word p / 32 is set if a segment begins with the item of place p. One more can be read.
constexpr int mark_words = tile_places / 32 + 1;

// The marks of a tile. The offsets [begin[w], begin[w + 1]) lie within the places of warp w, if offsets are kept.
struct SegmentMarks {
  u64 begin[worker_warps + 1];
  bool is_shared_out;  // whether the tile has a share of a run of empty segments to write
  u32 words[mark_words];
};

// The share of a tile: neighbouring tiles that one block takes.
struct ShareOfTile {
  u64 first_item;  // of the share, its index
  u32 number;
  bool begins, ends;  // whether the tile is the first one, and the last one, of the share
};

// Offsets that a lane takes at once, and groups of them: each group is contiguous in the warp.
constexpr int lane_offsets = 4;
constexpr int mark_groups = 4;
constexpr int group_offsets = lane_offsets * warp_size;
constexpr u64 marked_at_once = mark_groups * group_offsets;

// The last place at or before `at` from which on lanes read whole vectors.
__device__ __forceinline__ u64 vectors_before(const OffsetRange& range, u64 at) {
  const u64 past = past_vector(range.offsets, at);
  return at - range.begin < past ? at : at - past;
}

__device__ __forceinline__ void load_marked(const OffsetRange& range, u64 at,
                                            Key (&offset)[mark_groups][lane_offsets]) {
  const u64 first = at + u64(lane_index() * lane_offsets);
  if (at + marked_at_once <= range.end && past_vector(range.offsets, at) == 0) {
#pragma unroll
    for (int g = 0; g < mark_groups; ++g) load_offset_vectors(range.offsets, first + u64(g * group_offsets), offset[g]);
  } else {
#pragma unroll
    for (int g = 0; g < mark_groups; ++g) {
#pragma unroll
      for (int k = 0; k < lane_offsets; ++k) {
        const u64 i = first + u64(g * group_offsets + k);
        offset[g][k] = i < range.end ? Key(offset_at(range, i)) : ~Key(0);
      }
    }
  }
}

// The items of a tile in the array: `count` from item `first` on, which has place `begin`.
struct MarkedItems {
  u64 first;
  u32 count;
  int begin;
};

// How many items an offset lies behind the first one of a tile: at least the number of items, if not within the tile.
// Offsets of 32 bits, and so all items, lie below 2^32.
__device__ __forceinline__ Key items_behind(const MarkedItems& items, Key offset) { return offset - Key(items.first); }

// The place of an offset: -1 before the items of the tile, that behind the last one behind them.
__device__ __forceinline__ int place_of_offset(const MarkedItems& items, u64 offset) {
  const u64 behind = offset - items.first;
  return offset < items.first ? -1 : items.begin + int(behind < items.count ? behind : items.count);
}

// Marks a lane's offsets, in ascending order. Those within 64 places are marked by two words at once.
__device__ __forceinline__ void mark_offsets(const MarkedItems& items, const Key (&offset)[lane_offsets],
                                             SegmentMarks& marks) {
  u32 place[lane_offsets];
  bool within[lane_offsets];
#pragma unroll
  for (int k = 0; k < lane_offsets; ++k) {
    const Key behind = items_behind(items, offset[k]);
    within[k] = behind < Key(items.count);
    place[k] = u32(items.begin) + u32(behind);
  }
  const u32 from = place[0] / 32 * 32;
  if (within[0] && within[lane_offsets - 1] && place[lane_offsets - 1] - from < 64) {
    u64 bits = 0;
#pragma unroll
    for (int k = 0; k < lane_offsets; ++k) bits |= u64(1) << ((place[k] - from) % 64);
    or_shared(&marks.words[from / 32], u32(bits));
    if ((bits >> 32) != 0) or_shared(&marks.words[from / 32 + 1], u32(bits >> 32));
    return;
  }
#pragma unroll
  for (int k = 0; k < lane_offsets; ++k) {
    if (within[k]) or_shared(&marks.words[place[k] / 32], 1u << (place[k] % 32));
  }
}

// The warp with a place; that behind the last one for places behind the tile.
__device__ __forceinline__ int warp_of_place(int place, int end) {
  return place < 0 ? -1 : place < end ? place / warp_places : worker_warps;
}

// How many items of a tile lie before the places of a warp.
__device__ __forceinline__ u32 items_before_warp(const MarkedItems& items, int warp) {
  const int before = warp * warp_places - items.begin;
  return warp == worker_warps || before > int(items.count) ? items.count : before > 0 ? u32(before) : 0;
}

// Keeps where the offsets of each warp begin: `offset` are those from offset `i` on, and the one before is in warp
// `before`. Returns in which warp the last one is.
__device__ __forceinline__ int keep_begins(const MarkedItems& items, const Key (&offset)[lane_offsets], int before,
                                           u64 i, SegmentMarks& marks) {
  const int end = items.begin + int(items.count);
  const int last = warp_of_place(place_of_offset(items, u64(offset[lane_offsets - 1])), end);
  const int below = shuffle_up(last, 1);
#pragma unroll 1
  for (int w = (lane_index() > 0 ? below : before) + 1; w <= last; ++w) {
    const u64 first = items.first + items_before_warp(items, w);
    u32 count = 0;
#pragma unroll
    for (int k = 0; k < lane_offsets; ++k) count += u64(offset[k]) < first ? 1 : 0;
    marks.begin[w] = i + count;
  }
  return shuffle(last, warp_size - 1);
}

// Behind the offsets [begin, end), of which the last one is the same as the first: the first one that differs.
__device__ __forceinline__ u64 behind_equal(const OffsetRange& range, u64 begin, u64 end) {
  const u64 value = offset_at(range, end - 1);
  if (offset_at(range, begin) != value) return end;
  return find_place(end, range.end, [&](u64 place) { return offset_at(range, place) <= value; });
}

// The offsets of the first and the last of the segments that end at the `size` offsets from offset `begin` on. If they
// are equal, these are empty and end at the same item.
struct ShareEnds {
  Key first, last;
};

__device__ __forceinline__ ShareEnds ends_of_share(const OffsetRange& range, u64 begin, u64 size) {
  if (begin == 0 || begin + size > range.end) return {0, 1};
  return {Key(offset_at(range, begin - 1)), Key(offset_at(range, begin + size - 1))};
}

// Whether they are so.
__device__ __forceinline__ bool is_shared_out(const OffsetRange& range, u64 begin, u64 size) {
  const ShareEnds ends = ends_of_share(range, begin, size);
  return ends.first == ends.last;
}

// The offsets that a warp marks first in a tile, from offset number `at` on.
struct FirstMarked {
  u64 at;
  Key offset[mark_groups][lane_offsets];
};

// Of a tile that begins with item `first`, by one warp. Where the tile's offsets are near those that the samples make
// expect, no place is searched for.
__device__ __forceinline__ FirstMarked load_first_marked(const OffsetRange& range, u64 first, SampledOffsets& samples) {
  constexpr u64 ahead = marked_at_once / 8;
  FirstMarked marked;
  const PlacesBetween between = places_between(range, first, samples);
  const u64 guess = between.expected;
  marked.at = vectors_before(range, guess - range.begin > ahead ? guess - ahead : range.begin);
  load_marked(range, marked.at, marked.offset);
  const Key least = shuffle(marked.offset[0][0], 0),
            most = shuffle(marked.offset[mark_groups - 1][lane_offsets - 1], warp_size - 1);
  if ((marked.at == range.begin || u64(least) < first) && u64(most) >= first) return marked;
  const auto is_before = [&](u64 i) { return offset_at(range, i) < first; };
  marked.at = vectors_before(range, approach_place(guess, between.begin, between.end, is_before));
  load_marked(range, marked.at, marked.offset);
  return marked;
}

// Marks the places of a tile with which segments begin, by one warp, and keeps where the offsets of each warp begin, if
// keeps_begins. `zero`: the index of the item at place 0. `ahead`: the first offsets.
template <bool keeps_begins>
__device__ __forceinline__ void mark_segments(const OffsetRange& range, u64 zero, const Extent& extent, bool is_first,
                                              const FirstMarked& ahead, SegmentMarks& marks) {
  for (int i = lane_index(); i < mark_words; i += warp_size) marks.words[i] = 0;
  const u64 first = zero + u64(extent.begin);
  const MarkedItems items{first, u32(extent.end - extent.begin), extent.begin};
  Key offset[mark_groups][lane_offsets], marked[mark_groups][lane_offsets];
#pragma unroll
  for (int g = 0; g < mark_groups; ++g) {
#pragma unroll
    for (int k = 0; k < lane_offsets; ++k) offset[g][k] = ahead.offset[g][k];
  }
  u64 at = ahead.at;
  int before = -1;  // warp of the offset before those that are marked next
  warp_barrier();   // the marks are clear
  for (bool more = true; more;) {
#pragma unroll
    for (int g = 0; g < mark_groups; ++g) {
#pragma unroll
      for (int k = 0; k < lane_offsets; ++k) marked[g][k] = offset[g][k];
    }
    const Key least = shuffle(marked[0][0], 0),
              most = shuffle(marked[mark_groups - 1][lane_offsets - 1], warp_size - 1);
    u64 next = at + marked_at_once;
    more = u64(most) < first + items.count;
    if (more) {  // asked for while these are marked
      if (least == most) next = vectors_before(range, behind_equal(range, at, next));
      load_marked(range, next, offset);
    }
    Key last = 0;  // of a group
#pragma unroll
    for (int g = 0; g < mark_groups; ++g) {
      if (u64(last) >= first + items.count) break;  // so are all others
      last = g + 1 < mark_groups ? shuffle(marked[g][lane_offsets - 1], warp_size - 1) : most;
      if (u64(last) < first) continue;
      mark_offsets(items, marked[g], marks);
      const u64 i = at + u64(g * group_offsets + lane_index() * lane_offsets);
      if (keeps_begins) before = keep_begins(items, marked[g], before, i, marks);
    }
    at = next;
  }
  if (lane_index() == 0 && is_first) or_shared(&marks.words[extent.begin / 32], 1u << (extent.begin % 32));
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
