// Items fold to the number of their results, and the index at which their last run begins. Marked are the items with
// which runs begin: each has a result, that of the run before.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "operator/combine.count.cuh"
#include "value/counted.cuh"
#include "parameters.cuh"
#include "pipeline/kept.mask.cuh"
#include "pipeline/run_begin.cuh"
#include "pipeline/stage.ports.cuh"

__device__ __forceinline__ bool is_marked(const Item&, const Local& local) { return has_result(local); }

__device__ __forceinline__ Counted<u32, Value> fold_of(const Kept& kept, u32, const PlacedItems& items) {
  return {count_of(kept), last_begin(kept, items)};
}

// How many marked items the warp's lower lanes have.
__device__ __forceinline__ u32 marked_before(const Kept&, const Local& exclusive) {
  return lane_index() == 0 ? 0 : u32(slots_of(exclusive));
}
