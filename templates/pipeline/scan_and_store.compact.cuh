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
#include "pipeline/store.bulk.cuh"
#include "tile/outputs.ports.cuh"
#include "pipeline/results.in_place.cuh"
#include "pipeline/share.cuh"
#include "pipeline/span.cuh"

// Where a warp's results wait, and where they go. From the output's first vector on they lie at the beginning of the
// warp's places, so that vectors there and here match; the `head` of them before that lie at the end of the places.
// With 16 bytes for each vector of items there is always room.
struct Gathering {
  Output* to;
  Output* places;  // warp_places of them
  u32 head;
};

// Bulk copies are a sixth slower where source and destination do not lie alike on 32 bytes (see pipeline/span.cuh).
__device__ __forceinline__ Gathering gathering_at(Output* to, Output* places) {
  constexpr u32 aligned_bytes = 32;
  return {to, places, u32(-reinterpret_cast<u64>(to) % aligned_bytes) / u32(sizeof(Output))};
}

// Gathers the results of this thread's items [begin, end); the first one is the warp's result `slot`. Returns the slot
// behind the last one.
template <bool whole>
__device__ __forceinline__ u32 gather_results(const Gathering& gathering,
                                              const InputVector (&vectors)[vectors_per_thread], int begin, int end,
                                              const Scalars& scalars, u32 slot) {
  u32 place = slot - gathering.head;  // below 0 in the head, which as a u32 is above all others
#pragma unroll
  for (int i = 0; i < thread_items; ++i) {
    if (!whole && (i < begin || i >= end)) continue;
    const Item item{vectors[i / vector_items].item[i % vector_items]};
    const Local local = lift(item, scalars);
    const u32 around = place + u32(warp_places);
    if (has_result(local)) gathering.places[place < around ? place : around] = only_output(result_of(item, local));
    place += u32(slots_of(local));
  }
  return place + gathering.head;
}

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
                                                    const Scalars& scalars, Local exclusive, Accumulator warp_carry) {
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
