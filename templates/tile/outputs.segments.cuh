// Where the results of scans of segments go: to the places of the items.
#pragma once

#include "algorithm/limits.segments.cuh"
#include "parameters.cuh"

// Where results go, from the first place of the array on; behind the first offset where it was read.
struct TileResults {
  Output* out;
  Offsets offsets;
  u64 n;
};

__device__ __forceinline__ bool replaces_items(const Arguments&) { return false; }

__device__ __forceinline__ TileResults all_results(const Arguments& arguments) {
  return {arguments.out, offsets_of(arguments), arguments.n};
}

// Behind the first `slots` results. Only after the wait for the previous kernel.
__device__ __forceinline__ TileResults results_behind(const TileResults& all, u64 slots) {
  return {all.out + first_item(all.offsets, all.n) + slots, all.offsets, all.n};
}

// Writes a result. Likewise.
__device__ __forceinline__ void put_at(const TileResults& all, u64 slot, const Result& result) {
  all.out[first_item(all.offsets, all.n) + slot] = result.out;
}

// Of a result that goes to one array.
__device__ __forceinline__ Output only_output(const Result& result) { return result.out; }
