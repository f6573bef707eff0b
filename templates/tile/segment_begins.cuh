// With which items of a tile segments begin. Two warps search for the offsets that lie within the tile, and all threads
// mark them in shared memory. Where many more offsets than items lie there, because segments are empty, each thread
// searches for its own items instead: a tile does not take longer the more empty segments it has.
#pragma once

#include "parameters.cuh"
#include "thread/offset_range.cuh"
#include "tile/geometry.cuh"

struct SegmentStorage {
  u64 begin, end;                   // places of the offsets within the tile
  unsigned char marks[tile_items];  // 1 where a segment begins, otherwise 0
};

struct SegmentBegins {
  RowBegins<items_per_thread> items;
  u64 begin, end;
};

// Whether segments begin with a thread's items, from the marks.
__device__ __forceinline__ RowBegins<items_per_thread> marked_begins(const SegmentStorage& storage) {
  RowBegins<items_per_thread> begins;
  const int first = thread_index() * items_per_thread;
#pragma unroll
  for (int w = 0; w < (items_per_thread + 31) / 32; ++w) begins.words[w] = 0;
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) begins.words[i / 32] |= u32(storage.marks[first + i]) << (i % 32);
  return begins;
}

// Of the `valid` items of a tile from item `first` on. The first barrier of the block after the call ends the use of
// the storage.
__device__ __forceinline__ SegmentBegins segment_begins(const OffsetRange& range, u64 first, int valid,
                                                        SegmentStorage& storage) {
  constexpr int last_warp = threads_per_block / warp_size - 1;
  constexpr u64 most_marked = u64(4) * tile_items;
  const int thread = thread_index();
  const auto search = [&](u64 least) {
    return find_place(range.begin, range.end, [&](u64 place) { return offset_at(range, place) < least; });
  };
  if (warp_index() == 0) {
    const u64 begin = search(first);
    if (lane_index() == 0) storage.begin = begin;
  }
  if (warp_index() == last_warp) {
    const u64 end = search(first + u64(valid));
    if (lane_index() == 0) storage.end = end;
  }
  u32* const words = reinterpret_cast<u32*>(storage.marks);
  for (int i = thread; i < tile_items / 4; i += threads_per_block) words[i] = 0;
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
  if (is_crowded) {
    const OffsetRange own{range.offsets, begins.begin, begins.end};
    begins.items = search_begins<items_per_thread>(own, first + u64(thread * items_per_thread), items_of_thread(valid));
  } else {
    begins.items = marked_begins(storage);
  }
  return begins;
}
