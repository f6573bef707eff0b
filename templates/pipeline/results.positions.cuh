// Results lie where their items are, in the stage; only their positions are gathered.
#pragma once

#include "parameters.cuh"
#include "pipeline/geometry.cuh"
#include "pipeline/stage.ports.cuh"

struct alignas(128) ResultStorage {
  u16 position[worker_warps][warp_places];  // of marked items, among the warp's
};

__device__ __forceinline__ ResultStorage& results_of(const Parts&, ResultStorage& storage) { return storage; }
