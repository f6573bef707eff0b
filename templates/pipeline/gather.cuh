// Gathers a warp's compact results in shared memory, and stores them as one piece.
#pragma once

#include "parameters.cuh"
#include "pipeline/store.bulk.cuh"
#include "pipeline/parts.cuh"
#include "pipeline/spill.cuh"
#include "thread/vector.cuh"

// Where a warp's results wait, and where they go. From the output's first 32 aligned bytes on they lie at `places`, as
// far as there is room; the `head` of them before that, and what has no room, lie in the spill.
template <typename T>
struct Gathering {
  T* to;
  T* places;
  T* spill;
  u32 head;
};

// `part`: where the results of a block's warps wait, each warp's from its items on, the first of which lie `offset`
// bytes behind the beginning.
template <typename T>
__device__ __forceinline__ Gathering<T> gathering_at(T* to, unsigned char* part, int offset,
                                                     Spill<T> (&spill)[worker_warps]) {
  const int own = offset + warp_index() * warp_places * int(sizeof(T));
  const int aligned = (own + part_grid - 1) / part_grid * part_grid;
  return {to, reinterpret_cast<T*>(part + aligned), spill[warp_index()].result,
          u32(-reinterpret_cast<u64>(to) % part_grid) / u32(sizeof(T))};
}

// Takes the warp's result `slot`, if there is one.
template <typename T>
__device__ __forceinline__ void gather(const Gathering<T>& gathering, bool has_result, u32 slot, const T& result) {
  const u32 place = slot - gathering.head;  // below 0 in the head, which as a u32 is above all others
  T* const at = place < gathered_items<T> ? gathering.places + place : gathering.spill + place % spill_items<T>;
  store_shared_if(has_result, at, result);
}

// Takes the results of all of a thread's items, result_of(i) of item i, in the warp's slots from `slot` on.
template <typename T, typename ResultOf>
__device__ __forceinline__ void gather_run(const Gathering<T>& gathering, u32 slot, const ResultOf& result_of) {
  constexpr int vector_results = 16 / sizeof(T);
  if (gathering.head == 0 && thread_items % vector_results == 0) {  // vectors here match those of the output
#pragma unroll
    for (int v = 0; v < thread_items / vector_results; ++v) {
      const u32 place = slot + u32(v * vector_results);
      T* const at = place < gathered_items<T> ? gathering.places + place : gathering.spill + place % spill_items<T>;
      alignas(16) T results[vector_results];
#pragma unroll
      for (int i = 0; i < vector_results; ++i) results[i] = result_of(v * vector_results + i);
      *reinterpret_cast<Vector<16>*>(at) = *reinterpret_cast<const Vector<16>*>(results);
    }
    return;
  }
#pragma unroll
  for (int i = 0; i < thread_items; ++i) gather(gathering, true, slot + u32(i), result_of(i));
}

// Writes the warp's results, of which there are `count`, by all its lanes.
template <typename T>
__device__ __forceinline__ void write_gathered(const Gathering<T>& gathering, u32 count) {
  constexpr u32 vector_results = 16 / sizeof(T);
  const u32 lane = u32(lane_index()), head = gathering.head < count ? gathering.head : count, body = count - head;
  const u32 vectors = (body < gathered_items<T> ? body : gathered_items<T>) / vector_results;
  const u32 tail = vectors * vector_results + lane;
  if (vectors > 0) store_vectors(gathering.to + head, gathering.places, int(vectors));
  if (lane < head) gathering.to[lane] = gathering.spill[(lane - gathering.head) % spill_items<T>];
  if (tail < body) {
    gathering.to[head + tail] =
        tail < gathered_items<T> ? gathering.places[tail] : gathering.spill[tail % spill_items<T>];
  }
}
