// A generated source has its own text in this place, made from the arrays of the problem. Here, those of select_if.
#pragma once

#include "parameters.cuh"
#include "tile/outputs.ports.cuh"
#include "tile/scatter.direct.cuh"

struct StoreStorage {
  ScatterStorage<Output> out;
};

// Takes a result of a tile whose results begin at `to`, if there is one.
__device__ __forceinline__ void put_result(const TileResults& to, bool has_result, u32 slot, const Result& result,
                                           StoreStorage& storage) {
  scatter(to.out, has_result, slot, result.out, storage.out);
}

// After all threads of the block have put theirs: writes what is not written yet of the results in slots [begin, end).
__device__ __forceinline__ void write_results(const TileResults& to, u32 begin, u32 end, StoreStorage& storage) {
  write_scattered(to.out, begin, end, storage.out);
}
