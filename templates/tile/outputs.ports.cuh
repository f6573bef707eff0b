// A generated source has its own text in this place, made from the arrays of the problem. Here, those of select_if.
#pragma once

#include "parameters.cuh"
#include "tile/scatter.direct.cuh"

// Where results go, from the first one on.
struct TileResults {
  Output* out;
};

struct StoreStorage {
  ScatterStorage<Output> out;
};

// Whether results may take the place of items that other tiles read.
__device__ __forceinline__ bool replaces_items(const Arguments& arguments) {
  const void* const written[] = {arguments.out};
  for (const void* to : written) {
    if (to == arguments.in) return true;
  }
  return false;
}

__device__ __forceinline__ TileResults all_results(const Arguments& arguments) { return {arguments.out}; }

// Behind the first `slots` results.
__device__ __forceinline__ TileResults results_behind(const TileResults& all, u64 slots) { return {all.out + slots}; }

// Writes a result.
__device__ __forceinline__ void put_at(const TileResults& to, u64 slot, const Result& result) {
  to.out[slot] = result.out;
}

// Of a result that goes to one array.
__device__ __forceinline__ Output only_output(const Result& result) { return result.out; }

// Takes a result of a tile whose results begin at `to`, if there is one.
__device__ __forceinline__ void put_result(const TileResults& to, bool has_result, u32 slot, const Result& result,
                                           StoreStorage& storage) {
  scatter(to.out, has_result, slot, result.out, storage.out);
}

// After all threads of the block have put theirs: writes what is not written yet of `count` results.
__device__ __forceinline__ void write_results(const TileResults& to, u32 count, StoreStorage& storage) {
  await_scattered();
  write_scattered(to.out, count, storage.out);
}
