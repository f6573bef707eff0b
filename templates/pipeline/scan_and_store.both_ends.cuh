// Emission to both ends: the results of some items lie one behind the other from the beginning of the output on, those
// of the others from its end back. Each warp gathers both in shared memory and writes them as two pieces, so warps do
// not wait for each other.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "operator/combine.count.cuh"
#include "parameters.cuh"
#include "pipeline/fold_share.single.cuh"
#include "pipeline/results.both_ends.cuh"
#include "pipeline/kept.none.cuh"
#include "pipeline/share.cuh"
#include "pipeline/span.cuh"
#include "pipeline/store.bulk.cuh"
#include "thread/load_vectors.forward.cuh"
#include "thread/vector.cuh"
#include "tile/outputs.ports.cuh"

// Where a warp's results wait, and where they go. The front piece begins at `front`, and its results from the first
// aligned 32 bytes on lie at the beginning of the warp's places. The back piece ends before `back`, and its results up
// to the last aligned 32 bytes lie at the end of the places. Vectors there and here match. The `head` results of the
// front piece and the `tail` results of the back piece that lie beyond have spills.
struct Gathering {
  Output* front;
  Output* back;
  Output* places;  // warp_places of them
  Output* front_spill;
  Output* back_spill;
  u32 head;
  u32 tail;
};

__device__ __forceinline__ Gathering gathering_at(Output* front, Output* back, const ResultPlaces& results) {
  const int warp = warp_index();
  return {front,
          back,
          results.places + warp * warp_places,
          results.spill->front[warp],
          results.spill->back[warp],
          u32(-reinterpret_cast<u64>(front) % 32) / u32(sizeof(Output)),
          u32(reinterpret_cast<u64>(back) % 32) / u32(sizeof(Output))};
}

// Takes result `slot` of the front piece, or result `slot` of the back piece, counted from its end.
__device__ __forceinline__ void gather(const Gathering& gathering, bool is_front, u32 slot, const Output& result) {
  const u32 beside = is_front ? gathering.head : gathering.tail, place = slot - beside;
  Output* const body = is_front ? gathering.places + place : gathering.places + (u32(warp_places) - 1 - place);
  Output* const spill = is_front ? gathering.front_spill + slot : gathering.back_spill + (beside - 1 - slot);
  *(slot < beside ? spill : body) = result;
}

// Gathers the results of this thread's items [begin, end): of the warp's items before them, `items` in all, `slot` have
// results of the front piece. Returns the slot behind the last one.
template <bool whole>
__device__ __forceinline__ u32 gather_results(const Gathering& gathering,
                                              const InputVector (&vectors)[vectors_per_thread], int begin, int end,
                                              const Scalars& scalars, u32 items, u32 slot) {
#pragma unroll
  for (int i = 0; i < thread_items; ++i) {
    if (!whole && (i < begin || i >= end)) continue;
    const Item item{vectors[i / vector_items].item[i % vector_items]};
    const Local local = lift(item, scalars);
    const bool is_front = has_result(local);
    gather(gathering, is_front, is_front ? slot : items - slot, only_output(result_of(item, local)));
    slot += u32(slots_of(local));
    ++items;
  }
  return slot;
}

// Writes a warp's front piece of `count` results, by all its lanes.
__device__ __forceinline__ void write_front(const Gathering& gathering, u32 count) {
  constexpr u32 items = 16 / sizeof(Output);  // of a vector
  const u32 head = gathering.head < count ? gathering.head : count, vectors = (count - head) / items;
  const u32 lane = u32(lane_index()), tail = head + vectors * items + lane;
  if (vectors > 0) store_vectors(gathering.front + head, gathering.places, int(vectors));
  if (lane < head) gathering.front[lane] = gathering.front_spill[lane];
  if (tail < count) gathering.front[tail] = gathering.places[tail - head];
}

// Writes a warp's back piece of `count` results, by all its lanes.
__device__ __forceinline__ void write_back(const Gathering& gathering, u32 count) {
  constexpr u32 items = 16 / sizeof(Output);  // of a vector
  const u32 tail = gathering.tail < count ? gathering.tail : count, body = count - tail;
  const u32 head = body % items, vectors = body / items, lane = u32(lane_index());
  Output* const to = gathering.back - count;
  const Output* const from = gathering.places + (u32(warp_places) - body);
  if (vectors > 0) store_vectors(to + head, from + head, int(vectors));
  if (lane < head) to[lane] = from[lane];
  if (lane < tail) to[body + lane] = gathering.back_spill[gathering.tail - tail + lane];
}

// Stores the results of a tile that was folded. `exclusive`: the thread's exclusive prefix within the warp.
// `warp_carry`: the exclusive prefix of the warp.
__device__ __forceinline__ void scan_and_store_tile(const Span& span, u32 tile, const Input* items,
                                                    const ResultPlaces& results, const Scalars& scalars,
                                                    Local exclusive, Accumulator warp_carry, const Kept&) {
  const Extent extent = extent_of(span, tile);
  const int lane = lane_index(), warp_first = warp_index() * warp_places, left = extent.end - warp_first;
  if (left <= 0) return;
  // The places of the warp that hold items.
  const int begin = extent.begin > warp_first ? extent.begin - warp_first : 0;
  const int end = left < warp_places ? left : warp_places;
  const bool has_carry = tile > 0 || warp_first > 0;
  const u64 kept = has_carry ? slots_of(warp_carry) : 0, first = u64(tile) * tile_places + u64(warp_first + begin);
  const Gathering gathering =
      gathering_at(span.out + span.begin + kept, span.out + span.end + span.begin - (first - kept), results);
  InputVector vectors[vectors_per_thread];
  load_vectors(items + thread_index() * thread_items, vectors);
  warp_barrier();  // all lanes have read what results take the place of
  u32 slot = lane == 0 ? 0 : u32(slots_of(exclusive));
  int last = warp_size - 1;
  if (extent.begin == 0 && extent.end == tile_places) {
    slot = gather_results<true>(gathering, vectors, 0, thread_items, scalars, u32(lane * thread_items), slot);
  } else {
    const Share share = share_of(extent);
    const int active = share.threads - warp_index() * warp_size;
    if (lane < active) {
      slot = gather_results<false>(gathering, vectors, share.begin, share.end, scalars,
                                   u32(lane * thread_items + share.begin - begin), slot);
    }
    if (active < warp_size) last = active - 1;
  }
  const u32 front = shuffle(slot, last);
  begin_store();
  write_front(gathering, front);
  write_back(gathering, u32(end - begin) - front);
  end_store(true);
}

// What is written once, by one thread: all there is to know is the fold of all items, if there are any.
constexpr bool finishes = true;

__device__ __forceinline__ void finish_tiles(const Arguments& arguments, bool has_total, Accumulator total) {
  finish(arguments, has_total, total);
}
