// Dense emission of sums of bytes within rows, modulo 256. As dense_ports, but sums stay in registers of 32 bits, of
// which only the lowest byte counts: of values of one byte, each would be cut to its byte where it is packed.
#pragma once

#include "algorithm/hooks.ports.cuh"
#include "algorithm/row_start.zero.cuh"
#include "operator/combine.flagged.cuh"
#include "parameters.cuh"
#include "pipeline/fold_share.rows.cuh"
#include "pipeline/gatherings.ports.cuh"
#include "pipeline/results.ports.cuh"
#include "pipeline/kept.none.cuh"
#include "pipeline/share.cuh"
#include "pipeline/span.cuh"
#include "pipeline/stage.ports.cuh"
#include "pipeline/store.bulk.cuh"

// The sums of a thread's items in their order.
struct RowSums {
  const PlacedItems& items;
  u32 start;  // with which a row begins
  u32 sum;

  // The result at item i, the next one; only its lowest byte counts.
  __device__ __forceinline__ u32 next(int i) {
    const u32 before = begins_row(items.begins, i) ? start : sum;
    sum = before + (items.in.word[i / 4] >> 8 * (i % 4));
    return emits_before ? before : sum;
  }
};

// Gathers the results of all of a thread's items in the warp's slots from `slot` on.
__device__ __forceinline__ void gather_sums(const Gathering<Output>& gathering, u32 slot, RowSums& sums) {
  if (gathering.head != 0) {
#pragma unroll
    for (int i = 0; i < thread_items; ++i) gather(gathering, true, slot + u32(i), Output(sums.next(i)));
    return;
  }
#pragma unroll
  for (int v = 0; v < thread_items / 16; ++v) {  // vectors here match those of the output
    const u32 place = slot + u32(v * 16);
    Output* const at =
        place < gathered_items<Output> ? gathering.places + place : gathering.spill + place % spill_items<Output>;
    Vector<16> results;
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      const int i = v * 16 + w * 4;
      const u32 first = sums.next(i), second = sums.next(i + 1), third = sums.next(i + 2), fourth = sums.next(i + 3);
      results.word[w] = pick_bytes(pick_bytes(first, second, 0x0040), pick_bytes(third, fourth, 0x0040), 0x5410);
    }
    *reinterpret_cast<Vector<16>*>(at) = results;
  }
}

// Stores the results of a tile that was folded. `exclusive`: the thread's exclusive prefix within the warp.
// `warp_carry`: the exclusive prefix of the warp.
__device__ __forceinline__ void scan_and_store_tile(const Span& span, u32 tile, Parts& parts, ResultStorage& storage,
                                                    const Scalars& scalars, Local exclusive, Accumulator warp_carry,
                                                    const Kept&) {
  const Extent extent = extent_of(span, tile);
  const int lane = lane_index(), warp_first = warp_index() * warp_places, left = extent.end - warp_first;
  if (left <= 0) return;
  // The places of the warp that hold items.
  const int begin = extent.begin > warp_first ? extent.begin - warp_first : 0;
  const int end = left < warp_places ? left : warp_places;
  const u64 first = u64(tile) * tile_places + u64(warp_first + begin) - span.begin;
  const bool warp_has_carry = tile > 0 || warp_first > 0;
  const Gatherings gatherings = gatherings_at(span, first, parts, storage);
  const Share share = share_of(extent);
  const int active = share.threads - warp_index() * warp_size;
  PlacedItems items;
  Local carry = lane == 0 ? within_tile(warp_carry) : exclusive;
  if (lane < active) {
    if (lane > 0 && warp_has_carry) carry = combine(within_tile(warp_carry), exclusive);
    load_items(span, tile, parts + thread_index() * thread_items, items);
  }
  warp_barrier();  // all lanes have read what results take the place of
  const bool has_carry = warp_has_carry || lane > 0;
  RowSums sums{items, row_start(scalars), has_carry ? u32(carry.value) : 0};
  if (tile > 0 && extent.end == tile_places) {
    gather_sums(gatherings.out, u32(lane * thread_items), sums);
  } else if (lane < active) {
    const u32 slot = u32(lane * thread_items - begin);  // of place 0 of this thread, if that held an item
#pragma unroll
    for (int i = 0; i < thread_items; ++i) {
      if (i >= share.begin && i < share.end) gather(gatherings.out, true, slot + u32(i), Output(sums.next(i)));
    }
  }
  begin_store();
  write_all_gathered(gatherings, u32(end - begin));
  end_store(true);
}

// Nothing is written once, at the end.
constexpr bool finishes = false;

__device__ __forceinline__ void finish_tiles(const Arguments&, bool, Accumulator) {}
