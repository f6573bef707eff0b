// A generated source has its own text in this place, made from the arrays of the problem. Here, those of select_if.
#pragma once

#include "parameters.cuh"
#include "pipeline/gather.cuh"
#include "pipeline/results.ports.cuh"
#include "pipeline/span.cuh"
#include "pipeline/stage.ports.cuh"

// Where a warp's results wait to be written to each array.
struct Gatherings {
  Gathering<Output> out;
};

// Of a warp before whose results there are `slots` others.
__device__ __forceinline__ Gatherings gatherings_at(const Span& span, u64 slots, Parts& parts, ResultStorage& storage) {
  return {gathering_at(span.out + slots, parts.in, bytes_before(span.in, 0), storage.out_spill)};
}

// Takes the warp's result `slot`, if there is one.
__device__ __forceinline__ void gather_result(const Gatherings& gatherings, bool has_result, u32 slot,
                                              const Result& result) {
  gather(gatherings.out, has_result, slot, result.out);
}

// Takes the results of all of a thread's items, result_of(i) of item i, in the warp's slots from `slot` on. Asks for
// each result once, in the order of the items.
template <typename ResultOf>
__device__ __forceinline__ void gather_all(const Gatherings& gatherings, u32 slot, const ResultOf& result_of) {
  gather_run(gatherings.out, slot, [&](int i) { return result_of(i).out; });
}

// Writes the warp's results, of which there are `count`, by all its lanes.
__device__ __forceinline__ void write_all_gathered(const Gatherings& gatherings, u32 count) {
  write_gathered(gatherings.out, count);
}
