// Loads runs into a stage by asynchronous copies of 16 bytes.
#pragma once

#include "thread/runs.cuh"

constexpr u32 run_arrivals = 2 * warp_size;

// After the barriers were initialised, by the thread that did.
__device__ __forceinline__ void prepare_runs() {}

// Before a barrier behind which a stage that this thread has read is filled again.
__device__ __forceinline__ void prepare_next_runs() {}

// Begins to load the runs, by one warp. The phase of `full` ends when they are loaded.
__device__ __forceinline__ void fill_runs(u8* stage, const Runs& runs, const ArrayBytes& array, PhaseBarrier* full) {
  for (int run = 0; run < runs.count; ++run) {
    const RunVectors vectors = vectors_of_run(stage, runs, run, array);
    for (int at = lane_index() * 16; at < vectors.bytes; at += warp_size * 16) {
      copy_async(vectors.to + at, vectors.from + at);
    }
    if (lane_index() == 0) copy_ends_of_run(vectors, runs, run);
  }
  arrive_when_copied(full);
  arrive(full);  // for the ends
}
