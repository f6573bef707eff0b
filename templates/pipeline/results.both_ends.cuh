// Results wait in the stage of their items. Of those that go to the ends of a warp's pieces of the output, beside its
// aligned 32 bytes, each warp has a spill.
#pragma once

#include "pipeline/span.cuh"

constexpr u32 aligned_results = 32 / sizeof(Output);

struct alignas(32) ResultStorage {
  Output front[worker_warps][aligned_results];
  Output back[worker_warps][aligned_results];
};

struct ResultPlaces {
  Output* places;
  ResultStorage* spill;
};

// Where a tile's results wait to be stored: where its items were.
__device__ __forceinline__ ResultPlaces results_of(Input* stage, ResultStorage& storage) {
  return {reinterpret_cast<Output*>(stage), &storage};
}
