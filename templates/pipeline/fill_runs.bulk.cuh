// Loads runs into a stage by bulk copies, one for each.
#pragma once

#include "pipeline/bulk_load.keep.cuh"
#include "thread/runs.cuh"

constexpr u32 run_arrivals = warp_size;

// After the barriers were initialised, by the thread that did.
__device__ __forceinline__ void prepare_runs() { fence_barriers_for_bulk_copies(); }

// Before a barrier behind which a stage that this thread has read is filled again.
__device__ __forceinline__ void prepare_next_runs() { fence_for_bulk_copies(); }

// Begins to load the runs, by one warp. The phase of `full` ends when they are loaded.
__device__ __forceinline__ void fill_runs(u8* stage, const Runs& runs, const ArrayBytes& array, PhaseBarrier* full) {
  u32 bytes = 0;
  for (int run = lane_index(); run < runs.count; run += warp_size) {
    const RunVectors vectors = vectors_of_run(stage, runs, run, array);
    copy_ends_of_run(vectors, runs, run);
    bytes += u32(vectors.bytes);
  }
  if (bytes == 0) {
    arrive(full);
    return;
  }
  arrive_expecting(full, bytes);
  for (int run = lane_index(); run < runs.count; run += warp_size) {
    const RunVectors vectors = vectors_of_run(stage, runs, run, array);
    if (vectors.bytes > 0) begin_bulk_load(vectors.to, vectors.from, u32(vectors.bytes), full);
  }
}
