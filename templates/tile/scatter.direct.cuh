#pragma once

#include "parameters.cuh"

struct StoreStorage {};

// Takes a result for a slot from `to` on. Directly: it is written at once.
__device__ __forceinline__ void put_result(Output* to, u32 slot, Output result, StoreStorage&) {
  to[slot] = result;
}

// After all threads of the block have put theirs: writes what is not written yet of `count` results.
__device__ __forceinline__ void write_results(Output*, u32, StoreStorage&) {}
