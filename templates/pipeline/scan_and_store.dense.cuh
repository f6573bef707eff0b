// Dense emission: a result at the place of each item.
#pragma once

#include "parameters.cuh"
#include "thread/fold.items.cuh"
#include "thread/results.forward.cuh"
#include "thread/scan_and_store.items.cuh"
#include "pipeline/order.forward.cuh"
#include "pipeline/store_results.cuh"
#include "pipeline/kept.none.cuh"
#include "pipeline/share.cuh"
#include "pipeline/span.cuh"
#include "pipeline/stage.single.cuh"

// Folds this thread's items [begin, end) of thread_items, at least one.
template <bool whole>
__device__ __forceinline__ Local fold_share(const Span&, u32, const Input* items, int begin, int end, const Scalars&,
                                            Kept&) {
  return fold_items<whole>(items, begin, end);
}

// Scans a tile's items, all of which are there, into results that lie `words` words and some bits before theirs.
template <int words>
__device__ __forceinline__ void scan_and_store_shifted(const Span& span, const Input* items, Output* warp_results,
                                                       Accumulator carry) {
  if (sizeof(Output) > 4 && words * 4 % sizeof(Output) != 0) return;  // no results lie so
  ShiftedResults<words> shifting = shifted_results<words>(warp_results, span);
  scan_and_store_items<true>(items, shifting, 0, thread_items, true, carry);
  shifting.finish();
}

// Scans a tile that was folded, and stores its results. `exclusive`: the thread's exclusive prefix within the warp.
// `warp_carry`: the exclusive prefix of the warp.
__device__ __forceinline__ void scan_and_store_tile(const Span& span, u32 tile, StageItems items, Output* results,
                                                    const Scalars&, Local exclusive, Accumulator warp_carry,
                                                    const Kept&) {
  const Extent extent = extent_of(span, tile);
  const int first = thread_index() * thread_items, lane = lane_index(), warp_first = warp_index() * warp_places;
  const bool has_prefix = has_initial || tile > 0, warp_has_carry = has_prefix || warp_index() > 0;
  const bool whole = has_prefix && extent.begin == 0 && extent.end == tile_places;
  Output* const to = in_array(span.out, tile, warp_first, warp_places);
  Output* const warp_results = results + in_memory(warp_first, warp_places, tile_places);
  Accumulator carry = warp_carry;
  if (whole && lane > 0) carry = combine(warp_carry, exclusive);
  if (results_can_shift && whole && span.skew > 0) {
    switch ((16 - span.skew) / 4) {
      case 0:
        scan_and_store_shifted<0>(span, items + first, warp_results, carry);
        break;
      case 1:
        scan_and_store_shifted<1>(span, items + first, warp_results, carry);
        break;
      case 2:
        scan_and_store_shifted<2>(span, items + first, warp_results, carry);
        break;
      default:
        scan_and_store_shifted<3>(span, items + first, warp_results, carry);
    }
    store_shifted(to, warp_results, span);
    return;
  }
  StraightResults straight{results + in_memory(first, thread_items, tile_places)};
  if (whole) {
    scan_and_store_items<true>(items + first, straight, 0, thread_items, true, carry);
  } else {
    const Share share = share_of(extent);
    if (thread_index() < share.threads) {
      if (lane > 0) carry = warp_has_carry ? combine(warp_carry, exclusive) : exclusive;
      scan_and_store_items<false>(items + first, straight, share.begin, share.end, warp_has_carry || lane > 0, carry);
    }
  }
  const int begin = extent.begin > warp_first ? extent.begin - warp_first : 0, left = extent.end - warp_first;
  const int places = (left < warp_places ? left : warp_places) - begin;
  const int stored = in_memory(begin, places, warp_places);
  store_places(to, warp_results, stored, stored + places);
}

// Nothing is written once, at the end.
constexpr bool finishes = false;

__device__ __forceinline__ void finish_tiles(const Arguments&, bool, Accumulator) {}
