// With which items of a tile segments begin, where the range begins with the first offset that may lie within the tile,
// because the block took the tile before: offsets are read from there on, up to the first one behind the tile, and none
// is searched for. Where many more offsets than items lie there, because segments are empty, the rest is searched.
#pragma once

#include "parameters.cuh"
#include "thread/offset_range.cuh"
#include "tile/geometry.cuh"
#include "tile/segment_marks.cuh"

// The place of an offset within the `valid` items from item `first` on: -1 before them, `valid` behind them.
__device__ __forceinline__ int place_of(u64 offset, u64 first, int valid) {
  const u64 place = offset - first;
  return offset < first ? -1 : place < u64(valid) ? int(place) : valid;
}

// Marks those of the offsets from place `at` on that lie within the tile, `per_thread` by each thread. storage.end
// becomes the place of the first one that lies behind it, or that behind those that were looked at.
template <int per_thread>
__device__ __forceinline__ void mark_from(const OffsetRange& range, u64 at, u64 first, int valid,
                                          SegmentStorage& storage) {
  constexpr int most = per_thread * threads_per_block;
  const int count = range.end - at < most ? int(range.end - at) : most;  // of offsets
  const OffsetRange from{range.offsets, at, range.end};
  int place[per_thread], before[per_thread];
#pragma unroll
  for (int k = 0; k < per_thread; ++k) {
    const int i = k * threads_per_block + thread_index();
    place[k] = i < count ? place_of(offset_at(from, at + u64(i)), first, valid) : valid;
    const bool has_before = i <= count && (i > 0 || at > range.begin);
    before[k] = has_before ? place_of(offset_at(from, at + u64(i) - 1), first, valid) : -1;
  }
#pragma unroll
  for (int k = 0; k < per_thread; ++k) {
    const int i = k * threads_per_block + thread_index();
    // One of equal offsets marks the item.
    if (place[k] >= 0 && place[k] < valid && before[k] != place[k]) storage.marks[place[k]] = 1;
    const bool is_first_behind = i <= count && place[k] == valid && (i == 0 || before[k] < valid);
    const bool is_last = i == most - 1 && place[k] < valid;
    if (is_first_behind || is_last) storage.end = at + u64(i) + (is_last ? 1 : 0);
  }
}

// Of the `valid` items of a tile from item `first` on. The first barrier of the block after the call ends the use of
// the storage.
__device__ __forceinline__ SegmentBegins segment_begins(const OffsetRange& range, u64, u64 first, int valid,
                                                        SegmentStorage& storage) {
  constexpr int more = 4;  // offsets per thread, after the first look
  SegmentBegins begins;
  begins.begin = range.begin;
  clear_marks(storage);
  block_barrier();
  mark_from<1>(range, range.begin, first, valid, storage);
  block_barrier();
  u64 looked_at = range.begin + threads_per_block;
  begins.end = storage.end;
  while (begins.end == looked_at && begins.end - begins.begin <= most_marked) {
    block_barrier();
    mark_from<more>(range, begins.end, first, valid, storage);
    block_barrier();
    looked_at += more * threads_per_block;
    begins.end = storage.end;
  }
  if (begins.end == looked_at) {
    block_barrier();
    if (warp_index() == 0) {
      const u64 end =
          find_place(begins.end, range.end, [&](u64 place) { return offset_at(range, place) < first + u64(valid); });
      if (lane_index() == 0) storage.end = end;
    }
    block_barrier();
    begins.end = storage.end;
    begins.items = crowded_begins(range, begins, first, valid);
  } else {
    begins.items = marked_begins(storage);
  }
  return begins;
}
