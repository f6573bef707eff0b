// Stores a warp's results from shared memory to the output.
#pragma once

#include "parameters.cuh"
#include "thread/results.forward.cuh"
#include "pipeline/order.forward.cuh"
#include "pipeline/unaligned_store.cuh"
#include "pipeline/store.bulk.cuh"
#include "pipeline/span.cuh"

constexpr int warp_vectors = warp_places * sizeof(Output) / 16;

// Stores places [begin, end) of a warp, however the output is aligned.
__device__ __forceinline__ void store_places(Output* to, const Output* from, int begin, int end) {
  begin_store();
  const bool by_vectors = begin == 0 && end == warp_places && is_aligned<16>(to);
  if (by_vectors) {
    store_vectors(to, from, warp_vectors);
  } else {
    store_unaligned(to, from, begin, end);
  }
  end_store(!by_vectors);
}

// Where this thread stores its results, which are shifted as `span` says. `results`: those of the warp.
template <int words>
__device__ __forceinline__ ShiftedResults<words> shifted_results(Output* results, const Span& span) {
  Vector<16>* const vectors = reinterpret_cast<Vector<16>*>(results);
  Vector<16>* const own = vectors + in_memory(lane_index(), 1, warp_size) * (warp_vectors / warp_size);
  ShiftedResults<words> shifting;
  shifting.to = span.down ? own - 1 : own;
  shifting.around = span.down ? vectors + warp_vectors - 1 : vectors;
  shifting.bits = (16 - span.skew) % 4 * 8;
  return shifting;
}

// Stores all results of a warp, which are shifted as `span` says.
__device__ __forceinline__ void store_shifted(Output* to, const Output* results, const Span& span) {
  constexpr int items = 16 / sizeof(Output);
  const int skew = int(span.skew / sizeof(Output)), lane = lane_index();
  begin_store();
  Output* const vectors_begin = to - skew;  // behind the vector's beginning
  store_vectors(vectors_begin + items, span.down ? results : results + items, warp_vectors - 1);
  const Output* const around = span.down ? results + warp_places - items : results;
  if (lane < items) vectors_begin[lane < skew ? warp_places + lane : lane] = around[lane];
  end_store(true);
}
