// The items of segments: an array, and offsets that say with which items segments begin.
#pragma once

#include "algorithm/limits.segments.cuh"
#include "tile/segment_begins.search.cuh"
#include "tile/segment_gaps.none.cuh"
#include "parameters.cuh"
#include "thread/offset_range.cuh"
#include "tile/load.direct.cuh"
#include "tile/prefetch.none.cuh"

// The items of a tile that a thread holds.
struct TileItems {
  Input in[items_per_thread];
  SegmentBegins begins;
  SegmentGaps gaps;
};

// Where items come from.
struct TileInputs {
  const Input* in;
  OffsetRange range;
  u64 index;      // of the first item
  u64 n;          // of the array
  bool is_first;  // whether a segment begins with the first item, whatever the offsets say
};

struct InputsStorage {
  SegmentStorage segments;
  LoadStorage<Input> in;
};

__device__ __forceinline__ TileInputs all_inputs(const Arguments& arguments) {
  return {arguments.in, {offsets_of(arguments), 0, count_offsets(arguments)}, 0, arguments.n, true};
}

// From item `first` of all segments on. Only after the wait for the previous kernel.
__device__ __forceinline__ TileInputs inputs_from(const TileInputs& all, u64 first) {
  const u64 index = first_item(all.range.offsets, all.n) + first;
  return {all.in + index, all.range, index, all.n, first == 0};
}

// Asks for tile `tile` ahead of time, by one thread, as if the first segment began with the first item: nothing is read
// yet.
__device__ __forceinline__ void prefetch_inputs(const TileInputs& all, u64 n, u64 tile) {
  prefetch_tile<tile_items>(all.in, n, tile);
}

// Loads a tile's first `valid` items. They are under way while the segments are looked for.
template <bool whole>
__device__ __forceinline__ void load_items(const TileInputs& from, int valid, TileItems& tile, InputsStorage& storage) {
  fetch_tile<whole>(from.in, valid, tile.in);
  tile.begins = segment_begins(from.range, from.n, from.index, valid, storage.segments);
  tile.gaps = segment_gaps(from.range, tile.begins, from.index, valid);
  if (from.is_first && thread_index() == 0) tile.begins.items.words[0] |= 1;
  arrange_tile(tile.in, storage.in);
}

// A thread's item i of those it holds.
__device__ __forceinline__ Item item_of(const TileItems& tile, int i) {
  Item item;
  item.in = tile.in[i];
  item.begins_row = (tile.begins.items.words[i / 32] & (1u << (i % 32))) != 0;  // one instruction
  return item;
}

// Loads the first `valid` items for one thread that takes them in turn.
__device__ __forceinline__ void load_items_ahead(const TileInputs& from, int valid, Item (&items)[items_per_thread]) {
  RowBegins<items_per_thread> begins = search_begins<items_per_thread>(from.range, from.index, valid);
  if (from.is_first) begins.words[0] |= 1;
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (i >= valid) continue;
    items[i].in = from.in[i];
    items[i].begins_row = begins_row(begins, i);
  }
}
