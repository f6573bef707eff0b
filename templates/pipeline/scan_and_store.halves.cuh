// Compact emission of results of 16 bits to one array: a result is as wide as a position, so each warp gathers the
// results of its marked items at once, and stores them as one piece.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "algorithm/limits.none.cuh"
#include "parameters.cuh"
#include "operator/combine.count.cuh"
#include "pipeline/active_lanes.cuh"
#include "pipeline/fold_share.masks.cuh"
#include "pipeline/results.halves.cuh"
#include "pipeline/span.cuh"
#include "pipeline/stage.ports.cuh"
#include "pipeline/store.vectorized.cuh"
#include "pipeline/store_result.ports.cuh"
#include "tile/outputs.ports.cuh"

// Gathers the results of the thread's marked items.
__device__ __forceinline__ void gather_halves(u16* results, const PlacedItems& items, const Kept& kept) {
  SharedEnd16 end = shared_end_16(results);
#pragma unroll
  for (int i = 0; i < thread_items; ++i) {
    const Words<Output> result{only_output(result_of(item_at(items, i, 0), Local(0)))};
    append_16_if(kept.word[i / 32] & 1u << i % 32, end, u16(result.word[0]));
  }
}

// Writes a warp's results [begin, end) of memory that lies as `to` does, modulo 32 bytes, by all its lanes.
__device__ __forceinline__ void write_halves(u16* to, const u16* results, u32 begin, u32 end) {
  constexpr u32 vector_results = 8;
  const u32 lane = u32(lane_index()), next = (begin + vector_results - 1) / vector_results * vector_results;
  const u32 first = next < end ? next : end, vectors = (end - first) / vector_results;
  const u32 head = begin + lane, tail = first + vectors * vector_results + lane;
  if (vectors > 0) store_vectors(to + first, results + first, int(vectors));
  if (head < first) to[head] = results[head];
  if (tail < end) to[tail] = results[tail];
}

// Stores the results of a tile that was folded. `exclusive`: the thread's exclusive prefix within the warp.
// `warp_carry`: the exclusive prefix of the warp.
__device__ __forceinline__ void scan_and_store_tile(const Span& span, u32 tile, Parts& parts, ResultStorage& storage,
                                                    const Scalars&, Local exclusive, Accumulator warp_carry,
                                                    const Kept& kept) {
  const Extent extent = extent_of(span, tile);
  const int warp_first = warp_index() * warp_places;
  if (warp_first >= extent.end) return;
  const u64 first_slot = tile > 0 || warp_first > 0 ? slots_of(warp_carry) : 0;
  const u32 before = marked_before(kept, exclusive);
  const u32 count = shuffle(before + count_of(kept), active_lanes(extent) - 1);
  u16* const to = reinterpret_cast<u16*>(only_array(span) + first_slot);
  const u32 past = u32(reinterpret_cast<u64>(to) % 32 / 2);
  u16* const results = storage.result[warp_index()];
  PlacedItems items;
  load_items(span, tile, parts + thread_index() * thread_items, items);
  gather_halves(results + past + before, items, kept);
  if (replaces_items(span)) order_store();
  begin_store();
  write_halves(to - past, results, past, past + results_with_room(span.capacity, first_slot, count));
  end_store(true);
}

// What is written once, by one thread: all there is to know is the fold of all items, if there are any.
constexpr bool finishes = true;

__device__ __forceinline__ void finish_tiles(const Arguments& arguments, bool has_total, Accumulator total) {
  finish(arguments, has_total, total);
}
