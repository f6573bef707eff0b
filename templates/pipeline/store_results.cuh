#pragma once

#include "parameters.cuh"
#include "thread/results.cuh"
#include "pipeline/unaligned_store.cuh"
#include "pipeline/store.bulk.cuh"
#include "pipeline/span.cuh"

// A warp's results go from where it swept them in shared memory to the output.

constexpr int warp_vectors = warp_items * sizeof(Output) / 16;

// Places [begin, end) of warp_items, to wherever.
__device__ __forceinline__ void emit_places(Output* to, const Output* from, int begin, int end) {
  begin_emission();
  const bool by_vectors = begin == 0 && end == warp_items && is_aligned<16>(to);
  if (by_vectors) {
    emit_vectors(to, from, warp_vectors);
  } else {
    copy_out(to, from, begin, end);
  }
  end_emission(!by_vectors);
}

// Where a warp's results are swept to, from `results` on, when the output's vectors lie `span.skew` bytes before: up by
// so much, or down by what is left of a vector, and around the warp's ends.
template <int words>
__device__ __forceinline__ ShiftedResults<words> shifted_results(Output* results, const Span& span) {
  Vector<16>* const vectors = reinterpret_cast<Vector<16>*>(results);
  Vector<16>* const own = vectors + lane_index() * (warp_vectors / warp_size);
  ShiftedResults<words> shifting;
  shifting.to = span.down ? own - 1 : own;
  shifting.around = span.down ? vectors + warp_vectors - 1 : vectors;
  shifting.bits = (16 - span.skew) % 4 * 8;
  return shifting;
}

// All places, of which `results` were swept to the shifted ones.
__device__ __forceinline__ void emit_shifted(Output* to, const Output* results, const Span& span) {
  constexpr int items = 16 / sizeof(Output);
  const int skew = int(span.skew / sizeof(Output)), lane = lane_index();
  begin_emission();
  Output* const before = to - skew;  // behind the vector's beginning
  emit_vectors(before + items, span.down ? results : results + items, warp_vectors - 1);
  const Output* const around = span.down ? results + warp_items - items : results;
  if (lane < items) before[lane < skew ? warp_items + lane : lane] = around[lane];
  end_emission(true);
}
