#pragma once

#include "tile/bulk_out.keep.cuh"
#include "tile/copy_out.cuh"
#include "tile/span.cuh"

// The results' memory is still read after emit_warp returned, until settle_emission has.
constexpr bool emission_lingers = true;

// Stores this warp's results of the places [begin, end) of warp_items.
__device__ __forceinline__ void emit_warp(Output* to, const Output* from, int begin, int end) {
  fence_for_bulk_copies();
  warp_barrier();
  if (begin == 0 && end == warp_items && is_aligned<16>(to)) {
    if (lane_index() == 0) {
      send_out(to, from, warp_items * sizeof(Output));
      commit_bulk_stores();
    }
  } else {
    copy_out(to, from, begin, end);
  }
}

// Returns when nothing reads this warp's earlier results any more.
__device__ __forceinline__ void settle_emission() {
  if (lane_index() == 0) wait_bulk_stores_read<0>();
  warp_barrier();
}
