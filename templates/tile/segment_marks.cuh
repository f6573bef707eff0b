// Marks in shared memory of the items of a tile with which segments begin.
#pragma once

#include "parameters.cuh"
#include "thread/offset_range.cuh"
#include "tile/geometry.cuh"

// Of more offsets than this in a tile, most are those of empty segments: each thread searches for its own items then.
constexpr u64 most_marked = u64(4) * tile_items;

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
  if (items_per_thread % 4 == 0) {  // four at a time: the product has the mark of byte k in bit 24 + k
    const u32* const words = reinterpret_cast<const u32*>(storage.marks + first);
#pragma unroll
    for (int i = 0; i < items_per_thread; i += 4)
      begins.words[i / 32] |= (words[i / 4] * 0x01020408u >> 24) << (i % 32);
  } else {
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) begins.words[i / 32] |= u32(storage.marks[first + i]) << (i % 32);
  }
  return begins;
}

// Before any mark: a barrier of the block is to follow.
__device__ __forceinline__ void clear_marks(SegmentStorage& storage) {
  u32* const words = reinterpret_cast<u32*>(storage.marks);
  for (int i = thread_index(); i < tile_items / 4; i += threads_per_block) words[i] = 0;
}

// Of a tile with more offsets than are marked, at places [begins.begin, begins.end).
__device__ __forceinline__ RowBegins<items_per_thread> crowded_begins(const OffsetRange& range,
                                                                      const SegmentBegins& begins, u64 first,
                                                                      int valid) {
  const OffsetRange own{range.offsets, begins.begin, begins.end};
  return search_begins<items_per_thread>(own, first + u64(thread_index() * items_per_thread), items_of_thread(valid));
}
