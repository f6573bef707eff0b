// Compact emission: some items have a result, and the results lie one behind the other. Each warp gathers its own in
// shared memory and writes them as one piece, so warps do not wait for each other.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "algorithm/limits.none.cuh"
#include "parameters.cuh"
#include "operator/combine.count.cuh"
#include "thread/load_vectors.forward.cuh"
#include "thread/vector.cuh"
#include "pipeline/fold_share.single.cuh"
#include "pipeline/gather_results.items.cuh"
#include "pipeline/gathering.cuh"
#include "pipeline/store.bulk.cuh"
#include "pipeline/results.in_place.cuh"
#include "pipeline/kept.none.cuh"
#include "pipeline/share.cuh"
#include "pipeline/span.cuh"

// Writes the warp's results, of which there are `count`, by all its lanes.
__device__ __forceinline__ void write_gathered(const Gathering& gathering, u32 count) {
  constexpr u32 items = 16 / sizeof(Output);  // of a vector
  const u32 head = gathering.head < count ? gathering.head : count, vectors = (count - head) / items;
  const u32 lane = u32(lane_index()), tail = head + vectors * items + lane;
  begin_store();
  if (vectors > 0) store_vectors(gathering.to + head, gathering.places, int(vectors));
  if (lane < head) gathering.to[lane] = gathering.places[u32(warp_places) - gathering.head + lane];
  if (tail < count) gathering.to[tail] = gathering.places[tail - head];
  end_store(true);
}

// Stores the results of a tile that was folded. `exclusive`: the thread's exclusive prefix within the warp.
// `warp_carry`: the exclusive prefix of the warp.
__device__ __forceinline__ void scan_and_store_tile(const Span& span, u32 tile, const Input* items, Output* results,
                                                    const Scalars& scalars, Local exclusive, Accumulator warp_carry,
                                                    const Kept&) {
  const Extent extent = extent_of(span, tile);
  const int lane = lane_index(), warp_first = warp_index() * warp_places;
  if (warp_first >= extent.end) return;
  const bool has_carry = has_initial || tile > 0 || warp_first > 0;
  const u64 first_slot = has_carry ? slots_of(warp_carry) : 0;
  const Gathering gathering = gathering_at(span.out + span.begin + first_slot, results + warp_first);
  InputVector vectors[vectors_per_thread];
  load_vectors(items + thread_index() * thread_items, vectors);
  if (results_in_stage) warp_barrier();  // all lanes have read what results take the place of
  u32 slot = lane == 0 ? 0 : u32(slots_of(exclusive));
  int last = warp_size - 1;
  if (extent.begin == 0 && extent.end == tile_places) {
    slot = gather_results<true>(gathering, vectors, 0, thread_items, scalars, slot);
  } else {
    const Share share = share_of(extent);
    const int active = share.threads - warp_index() * warp_size;
    if (lane < active) slot = gather_results<false>(gathering, vectors, share.begin, share.end, scalars, slot);
    if (active < warp_size) last = active - 1;
  }
  if (replaces_items(span)) order_store();
  write_gathered(gathering, results_with_room(span.capacity, first_slot, shuffle(slot, last)));
}

// What is written once, by one thread: all there is to know is the fold of all items, if there are any.
constexpr bool finishes = true;

__device__ __forceinline__ void finish_tiles(const Arguments& arguments, bool has_total, Accumulator total) {
  finish(arguments, has_total, total);
}
