// With which places of a tile in a stage segments begin. One warp marks them while the items are loaded.
#pragma once

#include "parameters.cuh"
#include "pipeline/geometry.cuh"
#include "pipeline/span.cuh"
#include "thread/offset_range.cuh"

// Words of marks: bit p % 32 of word p / 32 is set if a segment begins with the item of place p. One more can be read.
constexpr int mark_words = tile_places / 32 + 1;

// The marks of a tile. The offsets [begin[w], begin[w + 1]) lie within the places of warp w, if offsets are kept.
struct SegmentMarks {
  u64 begin[worker_warps + 1];
  bool is_shared_out;  // whether the tile has a share of a run of empty segments to write
  u32 words[mark_words];
};

// The tile that a warp marked last: it tells where the offsets of the next one are.
struct LastTile {
  u64 item;  // the first one
  u64 offset;
  float offsets_per_item;
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

__device__ __forceinline__ void load_marked(const OffsetRange& range, u64 at, Key (&offset)[mark_groups][lane_offsets]) {
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

// The place of an offset: -1 before the items of the tile, extent.end behind them. `first`: index of the first item.
__device__ __forceinline__ int place_of_offset(u64 offset, u64 first, const Extent& extent) {
  const u64 past = offset - first;
  return offset < first ? -1 : past < u64(extent.end - extent.begin) ? extent.begin + int(past) : extent.end;
}

// Marks a lane's places, in ascending order. Those in the words of the first one and behind it are marked at once.
__device__ __forceinline__ void mark_places(const int (&place)[lane_offsets], int end, SegmentMarks& marks) {
  const int word = (place[0] < 0 ? 0 : place[0]) / 32;
  u32 low = 0, high = 0;
#pragma unroll
  for (int k = 0; k < lane_offsets; ++k) {
    if (place[k] < 0 || place[k] >= end) continue;
    const int past = place[k] / 32 - word;
    const u32 bit = 1u << (place[k] % 32);
    if (past == 0) low |= bit;
    if (past == 1) high |= bit;
    if (past < 0 || past > 1) or_shared(&marks.words[place[k] / 32], bit);
  }
  if (low != 0) or_shared(&marks.words[word], low);
  if (high != 0) or_shared(&marks.words[word + 1], high);
}

// The warp with a place; that behind the last one for places behind the tile.
__device__ __forceinline__ int warp_of_place(int place, int end) {
  return place < 0 ? -1 : place < end ? place / warp_places : worker_warps;
}

// Keeps where the offsets of each warp begin: `place` are those of offset `i` and the next ones, `before` is that of the
// offset before.
__device__ __forceinline__ void keep_begins(const int (&place)[lane_offsets], int before, u64 i, int end,
                                            SegmentMarks& marks) {
  int warp = warp_of_place(before, end);
#pragma unroll
  for (int k = 0; k < lane_offsets; ++k) {
    const int own = warp_of_place(place[k], end);
    for (int w = warp + 1; w <= own; ++w) marks.begin[w] = i + u64(k);
    warp = own;
  }
}

// Behind the offsets [begin, end), of which the last one is the same as the first: the first one that differs.
__device__ __forceinline__ u64 behind_equal(const OffsetRange& range, u64 begin, u64 end) {
  const u64 value = offset_at(range, end - 1);
  if (offset_at(range, begin) != value) return end;
  return find_place(end, range.end, [&](u64 place) { return offset_at(range, place) <= value; });
}

// Whether the segments that end at the `size` offsets from offset `begin` on are empty, and end at the same item.
__device__ __forceinline__ bool is_shared_out(const OffsetRange& range, u64 begin, u64 size) {
  if (begin == 0 || begin + size > range.end) return false;
  return offset_at(range, begin - 1) == offset_at(range, begin + size - 1);
}

// Marks the places of a tile with which segments begin, by one warp, and keeps where the offsets of each warp begin, if
// keeps_begins. `zero`: the index of the item at place 0.
template <bool keeps_begins>
__device__ __forceinline__ void mark_segments(const OffsetRange& range, u64 zero, const Extent& extent, bool is_first,
                                              LastTile& last, SegmentMarks& marks) {
  for (int i = lane_index(); i < mark_words; i += warp_size) marks.words[i] = 0;
  const u64 first = zero + u64(extent.begin);
  const u64 guess = last.offset + u64(float(first - last.item) * last.offsets_per_item);
  const u64 found = approach_place(guess, range.begin, range.end, [&](u64 i) { return offset_at(range, i) < first; });
  if (first > last.item && found >= last.offset)
    last = {first, found, float(found - last.offset) / float(first - last.item)};
  warp_barrier();  // the marks are clear

  Key offset[mark_groups][lane_offsets];
  u64 at = vectors_before(range, found);
  int before = -1;  // place of the offset before those that are marked next
  load_marked(range, at, offset);
  for (bool more = true; more;) {
    int place[mark_groups][lane_offsets];
#pragma unroll
    for (int g = 0; g < mark_groups; ++g) {
#pragma unroll
      for (int k = 0; k < lane_offsets; ++k) place[g][k] = place_of_offset(u64(offset[g][k]), first, extent);
    }
    const int least = shuffle(place[0][0], 0), most = shuffle(place[mark_groups - 1][lane_offsets - 1], warp_size - 1);
    u64 next = at + marked_at_once;
    more = most < extent.end;
    if (more) {  // asked for while these are marked
      if (least == most) next = vectors_before(range, behind_equal(range, at, next));
      load_marked(range, next, offset);
    }
#pragma unroll
    for (int g = 0; g < mark_groups; ++g) {
      mark_places(place[g], extent.end, marks);
      if (!keeps_begins) continue;
      const int below = shuffle_up(place[g][lane_offsets - 1], 1);
      keep_begins(place[g], lane_index() > 0 ? below : before, at + u64(g * group_offsets + lane_index() * lane_offsets),
                  extent.end, marks);
      before = shuffle(place[g][lane_offsets - 1], warp_size - 1);
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
