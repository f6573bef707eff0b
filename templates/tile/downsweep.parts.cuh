// Emission of parts: each item goes to one of a few parts, and the items of a part lie one behind the other.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "algorithm/parts.stable_partition.cuh"
#include "operator/combine.count.cuh"
#include "parameters.cuh"
#include "tile/front.scratch.cuh"
#include "tile/gather.two_phase.cuh"
#include "tile/geometry.cuh"
#include "tile/inputs.ports.cuh"
#include "tile/lift_items.ports.cuh"
#include "tile/outputs.parts.cuh"

// Of a tile that begins with item `first`.
__device__ __forceinline__ TileResults results_from(const TileResults& all, u64 first) {
  return {all.arguments, first, front_of(all), all.has_front};
}

// Of a tile of `valid` items that fold to `total`. `prefix`, if has_prefix, is the exclusive prefix of the tile.
__device__ __forceinline__ void find_pieces(const TileResults& results, int valid, Local total, bool has_prefix,
                                            Accumulator prefix, Piece (&pieces)[parts], StoreStorage& storage) {
  u32 begin = 0;
#pragma unroll
  for (int part = 0; part < parts; ++part) {
    const u64 before = has_prefix ? items_of_part(prefix, results.before, part) : 0;
    const u32 count = u32(items_of_part(total, u64(valid), part));
    if (before + count > room_of_part(*results.arguments, results.front, part)) abort_kernel();
    begin = place_piece(pieces[part], begin_of_part(*results.arguments, results.front, part) + before, count, begin,
                        storage);
  }
}

// Downsweep of a tile: finds the place of each item from the item's exclusive prefix, and stores the items. `prefix`,
// if has_prefix, is the exclusive prefix of the tile.
template <bool whole>
__device__ __forceinline__ void downsweep_tile(const TileResults& results, int valid, const Scalars& scalars,
                                               TileItems& tile, Local exclusive, Local total, bool has_prefix,
                                               Accumulator prefix, StoreStorage& storage) {
  await_loads();
  const int own = items_of_thread(valid), first_place = thread_index() * items_per_thread;
  Piece pieces[parts];
  find_pieces(results, valid, total, has_prefix, prefix, pieces, storage);
  Output* next[parts];  // where the thread's next item of each part is put
#pragma unroll
  for (int part = 0; part < parts; ++part) {
    const u64 before = first_place == 0 ? 0 : items_of_part(exclusive, u64(first_place), part);
    next[part] = places_of(pieces[part]) + u32(before);
  }
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (!whole && i >= own) continue;
    const Item item = item_of(tile, i);
    const u32 own_part = part_of(lift(item, scalars));
    Output* place = next[0];
#pragma unroll
    for (int part = 0; part < parts; ++part) {
      if (own_part == part) place = next[part]++;
    }
    *place = item.in;
  }
  await_gathered();
#pragma unroll
  for (int part = 0; part < parts; ++part) write_piece(pieces[part]);
}

// What is written once, by one thread: all there is to know is the fold of all items, if there are any.
constexpr bool finishes = true;

__device__ __forceinline__ void finish_tiles(const Arguments& arguments, bool has_total, Accumulator total) {
  finish(arguments, has_total, total);
}
