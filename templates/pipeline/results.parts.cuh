// Results wait in the stage of their items. Of those that go to either end of a warp's pieces, beside aligned 32 bytes,
// each warp has spills.
#pragma once

#include "algorithm/parts.stable_partition.cuh"
#include "pipeline/span.cuh"

constexpr u32 aligned_results = 32 / sizeof(Output);

// Of each warp and part: the results before the first aligned 32 bytes, and those behind the last.
struct alignas(32) ResultStorage {
  Output item[worker_warps][parts][2 * aligned_results];
};

struct ResultPlaces {
  Output* places;
  ResultStorage* spill;
};

// Where a tile's results wait to be stored: where its items were.
__device__ __forceinline__ ResultPlaces results_of(Input* stage, ResultStorage& storage) {
  return {reinterpret_cast<Output*>(stage), &storage};
}
