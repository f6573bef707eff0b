// Gathers the results of a thread's items one by one.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "operator/combine.count.cuh"
#include "parameters.cuh"
#include "pipeline/gathering.cuh"
#include "thread/vector.cuh"
#include "tile/outputs.ports.cuh"

// Gathers the results of this thread's items [begin, end), one by one; the first one is the warp's result `slot`.
// Returns the slot behind the last one.
template <bool whole>
__device__ __forceinline__ u32 gather_items(const Gathering& gathering,
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
