// A generated source has its own text in this place, made from the arrays of the problem. Here, those of select_if.
#pragma once

#include "algorithm/limits.none.cuh"
#include "parameters.cuh"

// Where results go, from the first one on.
struct TileResults {
  Output* out;
  u64 left;  // results that there is room for; where results go to both ends, items from the first one of the tile on
};

// Whether results may take the place of items that other tiles read.
__device__ __forceinline__ bool replaces_items(const Arguments& arguments) {
  const void* const written[] = {arguments.out};
  for (const void* to : written) {
    if (to == arguments.in) return true;
  }
  return false;
}

__device__ __forceinline__ TileResults all_results(const Arguments& arguments) {
  return {arguments.out, capacity_of(arguments)};
}

// Behind the first `slots` results.
__device__ __forceinline__ TileResults results_behind(const TileResults& all, u64 slots) {
  return {all.out + slots, all.left < slots ? 0 : all.left - slots};
}

// Writes a result.
__device__ __forceinline__ void put_at(const TileResults& to, u64 slot, const Result& result) {
  to.out[slot] = result.out;
}

// Of a result that goes to one array.
__device__ __forceinline__ Output only_output(const Result& result) { return result.out; }
