// A generated source has its own text in this place, made from the arrays of the problem. Here, of one output.
#pragma once

#include "parameters.cuh"
#include "tile/outputs.ports.cuh"
#include "tile/store.direct.cuh"

// Stores a tile's first `valid` results, of which each thread holds neighbouring ones.
template <bool whole>
__device__ __forceinline__ void store_results(const TileResults& to, int valid,
                                              const Result (&results)[items_per_thread], StoreStorage& storage) {
  Output stored[items_per_thread];
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) stored[i] = results[i].out;
  store_tile<whole>(to.out, valid, stored, storage);
}
