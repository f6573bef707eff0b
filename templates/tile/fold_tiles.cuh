// What the items of several tiles fold to, by one block.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "tile/inputs.single.cuh"
#include "tile/scan.cuh"

// Of the tiles that begin with item `first`, `first` + `step`, and so on, before item n; there is at least one.
__device__ __forceinline__ Accumulator fold_tiles(const TileInputs& inputs, u64 first, u64 step, u64 n,
                                                  const Scalars& scalars, TileStorage& storage) {
  Accumulator fold;
  bool has_fold = false;
  for (; first < n; first += step, has_fold = true) {
    const u64 left = n - first;
    TileItems tile;
    Local exclusive, total;
    if (left >= tile_items) {
      total = upsweep_tile<true>(inputs_from(inputs, first), tile_items, scalars, tile, exclusive, storage);
    } else {
      total = upsweep_tile<false>(inputs_from(inputs, first), int(left), scalars, tile, exclusive, storage);
    }
    await_loads();
    block_barrier();
    fold = has_fold ? combine(fold, widen(total)) : widen(total);
  }
  return fold;
}
