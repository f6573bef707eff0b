// Results wait in memory of their own, in which each warp gathers its piece of each part.
#pragma once

#include "algorithm/parts.stable_partition.cuh"
#include "pipeline/span.cuh"

// A piece lies there as in the output, alike on 32 bytes: up to 31 bytes before it, and as many behind it, are not
// used.
constexpr int warp_result_bytes = warp_places * int(sizeof(Output)) + parts * 64;

struct alignas(32) ResultStorage {
  unsigned char warp[worker_warps][warp_result_bytes];
};

using ResultPlaces = unsigned char*;

// Where this warp's results wait to be stored.
__device__ __forceinline__ ResultPlaces results_of(const Input*, ResultStorage& storage) {
  return storage.warp[warp_index()];
}
