// With which items of a tile segments begin. Two warps search for the offsets that lie within the tile, and all threads
// mark them in shared memory. Where many more offsets than items lie there, because segments are empty, each thread
// searches for its own items instead: a tile does not take longer the more empty segments it has.
#pragma once

#include "parameters.cuh"
#include "thread/offset_range.cuh"
#include "tile/geometry.cuh"
#include "tile/segment_marks.cuh"

// Of the `valid` items of a tile from item `first` on, of an array of `items`. The first barrier of the block after the
// call ends the use of the storage.
__device__ __forceinline__ SegmentBegins segment_begins(const OffsetRange& range, u64 items, u64 first, int valid,
                                                        SegmentStorage& storage) {
  constexpr int last_warp = threads_per_block / warp_size - 1;
  const int thread = thread_index();
  const auto search = [&](u64 least) {
    const u64 guess = u64(float(least) / float(items) * float(range.end));  // of segments that are about as long
    return find_place_near(guess, range.begin, range.end, [&](u64 place) { return offset_at(range, place) < least; });
  };
  if (warp_index() == 0) {
    const u64 begin = search(first);
    if (lane_index() == 0) storage.begin = begin;
  }
  if (warp_index() == last_warp) {
    const u64 end = search(first + u64(valid));
    if (lane_index() == 0) storage.end = end;
  }
  clear_marks(storage);
  block_barrier();
  SegmentBegins begins;
  begins.begin = storage.begin;
  begins.end = storage.end;
  const bool is_crowded = begins.end > begins.begin && begins.end - begins.begin > most_marked;
  for (u64 i = begins.begin + u64(thread); !is_crowded && i < begins.end; i += threads_per_block) {
    const u64 offset = offset_at(range, i), place = offset - first;
    // One of equal offsets marks the item.
    const bool is_next = i == begins.begin || offset_at(range, i - 1) != offset;
    if (is_next && place < u64(valid)) storage.marks[place] = 1;
  }
  block_barrier();
  begins.items = is_crowded ? crowded_begins(range, begins, first, valid) : marked_begins(storage);
  return begins;
}
