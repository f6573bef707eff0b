// Results of 16 bits wait in memory of their own: a part for each warp, with room to lie as in the output, modulo 32
// bytes.
#pragma once

#include "parameters.cuh"
#include "pipeline/geometry.cuh"
#include "pipeline/stage.ports.cuh"

struct alignas(128) ResultStorage {
  u16 result[worker_warps][warp_places + 16];
};

__device__ __forceinline__ ResultStorage& results_of(const Parts&, ResultStorage& storage) { return storage; }
