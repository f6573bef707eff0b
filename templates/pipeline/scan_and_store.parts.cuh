// Emission of parts: each item goes to one of a few parts, and the items of a part lie one behind the other. Each warp
// gathers its own in shared memory and writes a piece of each part, so warps do not wait for each other.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "algorithm/parts.stable_partition.cuh"
#include "operator/combine.count.cuh"
#include "parameters.cuh"
#include "pipeline/fold_share.single.cuh"
#include "pipeline/results.parts.cuh"
#include "pipeline/share.cuh"
#include "pipeline/span.cuh"
#include "pipeline/store.bulk.cuh"
#include "thread/vector.cuh"

// Where a warp's piece of a part waits, and where it goes. The results [head, tail) fill aligned 32 bytes of the
// output; they lie in the warp's places, at aligned 32 bytes too: vectors there and here match, and the pieces together
// have room. The results before and behind them lie in the spill.
struct Gathering {
  Output* to;
  Output* body;
  Output* spill;
  u32 head;
  u32 tail;
  u32 count;
};

// Of a warp that has `count` results of the part, which go to `to`.
__device__ __forceinline__ Gathering gathering_at(Output* to, u32 count, Output* body, Output* spill) {
  const u32 before = u32(-reinterpret_cast<u64>(to) % 32) / u32(sizeof(Output));
  const u32 head = before < count ? before : count;
  return {to, body, spill, head, head + (count - head) / aligned_results * aligned_results, count};
}

// Takes result `slot` of a piece.
__device__ __forceinline__ void gather(const Gathering& piece, u32 slot, const Output& result) {
  Output* const beside = slot < piece.head ? piece.spill + slot : piece.spill + aligned_results + (slot - piece.tail);
  *(slot >= piece.head && slot < piece.tail ? piece.body + (slot - piece.head) : beside) = result;
}

// Writes a warp's piece, by all its lanes.
__device__ __forceinline__ void write_gathered(const Gathering& piece) {
  const u32 lane = u32(lane_index()), behind = piece.tail + lane, body = piece.tail - piece.head;
  if (body > 0) store_vectors(piece.to + piece.head, piece.body, int(body * sizeof(Output) / 16));
  if (lane < piece.head) piece.to[lane] = piece.spill[lane];
  if (behind < piece.count) piece.to[behind] = piece.spill[aligned_results + lane];
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

// Gathers this thread's items [begin, end). `next`: the slot of the thread's next item of each part.
template <bool whole>
__device__ __forceinline__ void gather_results(const Gathering (&pieces)[parts],
                                               const InputVector (&vectors)[vectors_per_thread], int begin, int end,
                                               const Scalars& scalars, u32 (&next)[parts]) {
#pragma unroll
  for (int i = 0; i < thread_items; ++i) {
    if (!whole && (i < begin || i >= end)) continue;
    const Item item{vectors[i / vector_items].item[i % vector_items]};
    const u32 own_part = part_of(lift(item, scalars));
    Gathering piece = pieces[0];
    u32 slot = next[0];
#pragma unroll
    for (int part = 0; part < parts; ++part) {
      if (own_part == part) {
        piece = pieces[part];
        slot = next[part]++;
      }
    }
    gather(piece, slot, item.in);
  }
}

// Of a warp before whose items there are `before` others, which fold to `carry`. The warp's items fold to `total`.
__device__ __forceinline__ void find_pieces(const Span& span, const ResultPlaces& results, u64 before,
                                            Accumulator carry, u32 items, Local total, Gathering (&pieces)[parts]) {
  const int warp = warp_index();
  Output* body = results.places + warp * warp_places;
#pragma unroll
  for (int part = 0; part < parts; ++part) {
    const u64 slots = before == 0 ? 0 : items_of_part(carry, before, part);
    const u32 count = u32(items_of_part(total, items, part));
    if (slots + count > room_of_part(span, part)) abort_kernel();
    pieces[part] = gathering_at(begin_of_part(span, part) + slots, count, body, results.spill->item[warp][part]);
    body += pieces[part].tail - pieces[part].head;
  }
}

// Stores the results of a tile that was folded. `exclusive`: the thread's exclusive prefix within the warp.
// `warp_carry`: the exclusive prefix of the warp.
__device__ __forceinline__ void scan_and_store_tile(const Span& span, u32 tile, const Input* items,
                                                    const ResultPlaces& results, const Scalars& scalars,
                                                    Local exclusive, Accumulator warp_carry) {
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
  warp_barrier();  // all lanes have read what results take the place of
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
  u32 next[parts];
#pragma unroll
  for (int part = 0; part < parts; ++part) {
    next[part] = lane == 0 ? 0 : u32(items_of_part(exclusive, u64(lane * thread_items + share.begin - begin), part));
  }
  if (whole) {
    gather_results<true>(pieces, vectors, 0, thread_items, scalars, next);
  } else if (lane < active) {
    gather_results<false>(pieces, vectors, share.begin, share.end, scalars, next);
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
