// Emission of parts: each item goes to one of a few parts, and the items of a part lie one behind the other. Each warp
// gathers its own in shared memory and writes a piece of each part, so warps do not wait for each other.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "algorithm/parts.stable_partition.cuh"
#include "operator/combine.count.cuh"
#include "parameters.cuh"
#include "pipeline/fold_share.single.cuh"
#include "pipeline/results.parts.cuh"
#include "pipeline/kept.none.cuh"
#include "pipeline/share.cuh"
#include "pipeline/span.cuh"
#include "pipeline/store.bulk.cuh"
#include "thread/load_vectors.forward.cuh"
#include "thread/vector.cuh"

// A warp's piece of a part: where it goes, and where it waits. Both lie alike on 32 bytes, so vectors there and here
// match.
struct Gathering {
  Output* to;
  Output* from;
  u32 count;
};

// Writes a warp's piece, by all its lanes.
__device__ __forceinline__ void write_gathered(const Gathering& piece) {
  constexpr u32 aligned_bytes = 32, items = 16 / sizeof(Output);  // of a vector
  const u32 before = u32(-reinterpret_cast<u64>(piece.to) % aligned_bytes) / u32(sizeof(Output));
  const u32 head = before < piece.count ? before : piece.count, vectors = (piece.count - head) / items;
  const u32 lane = u32(lane_index()), tail = head + vectors * items + lane;
  if (vectors > 0) store_vectors(piece.to + head, piece.from + head, int(vectors));
  if (lane < head) piece.to[lane] = piece.from[lane];
  if (tail < piece.count) piece.to[tail] = piece.from[tail];
}

// What this thread's items [begin, end), at least one, fold to.
template <bool whole>
__device__ __forceinline__ Local fold_loaded(const InputVector (&vectors)[vectors_per_thread], int begin, int end,
                                             const Scalars& scalars) {
  Local value;
  bool has_value = false;
#pragma unroll
  for (int i = 0; i < thread_items; ++i) {
    if (!whole && (i < begin || i >= end)) continue;
    const Local item = lift(Item{vectors[i / vector_items].item[i % vector_items]}, scalars);
    value = has_value ? Local(combine(value, item)) : item;
    has_value = true;
  }
  return value;
}

// Gathers this thread's items [begin, end). `next`: where the thread's next item of each part waits.
template <bool whole>
__device__ __forceinline__ void gather_results(const InputVector (&vectors)[vectors_per_thread], int begin, int end,
                                               const Scalars& scalars, Output* (&next)[parts]) {
#pragma unroll
  for (int i = 0; i < thread_items; ++i) {
    if (!whole && (i < begin || i >= end)) continue;
    const Item item{vectors[i / vector_items].item[i % vector_items]};
    const u32 own_part = part_of(lift(item, scalars));
    Output* place = next[0];
#pragma unroll
    for (int part = 0; part < parts; ++part) {
      if (own_part == part) place = next[part]++;
    }
    *place = item.in;
  }
}

// Of a warp before whose items there are `before` others, which fold to `carry`. The warp's items fold to `total`.
__device__ __forceinline__ void find_pieces(const Span& span, unsigned char* results, u64 before, Accumulator carry,
                                            u32 items, Local total, Gathering (&pieces)[parts]) {
#pragma unroll
  for (int part = 0; part < parts; ++part) {
    const u64 slots = before == 0 ? 0 : items_of_part(carry, before, part);
    const u32 count = u32(items_of_part(total, items, part));
    if (slots + count > room_of_part(span, part)) abort_kernel();
    Output* const to = begin_of_part(span, part) + slots;
    pieces[part] = {to, reinterpret_cast<Output*>(results + u32(reinterpret_cast<u64>(to) % 32)), count};
    // The next one from the next aligned 32 bytes on.
    results += (u32(reinterpret_cast<u64>(to) % 32) + count * u32(sizeof(Output)) + 31) / 32 * 32;
  }
}

// Stores the results of a tile that was folded. `exclusive`: the thread's exclusive prefix within the warp.
// `warp_carry`: the exclusive prefix of the warp.
__device__ __forceinline__ void scan_and_store_tile(const Span& span, u32 tile, const Input* items,
                                                    ResultPlaces results, const Scalars& scalars, Local exclusive,
                                                    Accumulator warp_carry, const Kept&) {
  const Extent extent = extent_of(span, tile);
  const int lane = lane_index(), warp_first = warp_index() * warp_places, left = extent.end - warp_first;
  if (left <= 0) return;
  // The places of the warp that hold items.
  const int begin = extent.begin > warp_first ? extent.begin - warp_first : 0;
  const int end = left < warp_places ? left : warp_places;
  const bool whole = extent.begin == 0 && extent.end == tile_places;
  Share share = {0, thread_items, worker_warps * warp_size};
  if (!whole) share = share_of(extent);
  const int active = share.threads - warp_index() * warp_size, last = active < warp_size ? active - 1 : warp_size - 1;

  InputVector vectors[vectors_per_thread];
  load_vectors(items + thread_index() * thread_items, vectors);
  Local total;
  if (lane < active) {
    total = whole ? fold_loaded<true>(vectors, 0, thread_items, scalars)
                  : fold_loaded<false>(vectors, share.begin, share.end, scalars);
    if (lane > 0) total = combine(exclusive, total);
  }
  total = shuffle(total, last);
  Gathering pieces[parts];
  find_pieces(span, results, u64(tile) * tile_places + u64(warp_first + begin) - span.begin, warp_carry,
              u32(end - begin), total, pieces);
  Output* next[parts];
#pragma unroll
  for (int part = 0; part < parts; ++part) {
    const u64 own = lane == 0 ? 0 : items_of_part(exclusive, u64(lane * thread_items + share.begin - begin), part);
    next[part] = pieces[part].from + u32(own);
  }
  if (whole) {
    gather_results<true>(vectors, 0, thread_items, scalars, next);
  } else if (lane < active) {
    gather_results<false>(vectors, share.begin, share.end, scalars, next);
  }
  begin_store();
#pragma unroll
  for (int part = 0; part < parts; ++part) write_gathered(pieces[part]);
  end_store(true);
}

// What is written once, by one thread: all there is to know is the fold of all items, if there are any.
constexpr bool finishes = true;

__device__ __forceinline__ void finish_tiles(const Arguments& arguments, bool has_total, Accumulator total) {
  finish(arguments, has_total, total);
}
