#pragma once

#include "tile/copy_out.cuh"
#include "tile/fill.bulk.cuh"
#include "tile/span.cuh"

constexpr bool emission_lingers = false;

// Stores this warp's results of the places [begin, end) of warp_items: neighbouring lanes write neighbouring vectors,
// or items where the places are not all there or not aligned.
__device__ __forceinline__ void emit_warp(Output* to, const Output* from, int begin, int end) {
  warp_barrier();
  if (begin == 0 && end == warp_items && is_aligned<16>(to)) {
    constexpr int vectors = warp_items * sizeof(Output) / 16;
#pragma unroll
    for (int v = 0; v < vectors; v += warp_size) {
      if (vectors % warp_size == 0 || v + lane_index() < vectors) {
        reinterpret_cast<Vector<16>*>(to)[v + lane_index()] =
            reinterpret_cast<const Vector<16>*>(from)[v + lane_index()];
      }
    }
  } else {
    copy_out(to, from, begin, end);
  }
  prepare_refill();
  warp_barrier();
}

__device__ __forceinline__ void settle_emission() {
  warp_barrier();
}
