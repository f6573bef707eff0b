// A generated source has its own text in this place, made from the arrays of the problem. Here, those of select_if.
#pragma once

#include "parameters.cuh"
#include "pipeline/spill.cuh"
#include "pipeline/stage.ports.cuh"

struct alignas(128) ResultStorage {
  Spill<Output> out_spill[worker_warps];
};

// What results need besides the memory of a stage's items.
__device__ __forceinline__ ResultStorage& results_of(const Parts&, ResultStorage& storage) { return storage; }
