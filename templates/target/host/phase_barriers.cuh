// Phase barriers in shared memory; sm_80
#pragma once

#include "target/host_interface.cuh"
#include "target/host/shared_memory.cuh"
#include "target/types.cuh"

// By one thread, once, before any other use.
__device__ __forceinline__ void init_barrier(PhaseBarrier* barrier, u32 arrivals) {
  bound_host->phase_init(&barrier->word, arrivals);
}

// What this thread wrote to shared memory before is seen by whoever waits for the phase to end.
__device__ __forceinline__ void arrive(PhaseBarrier* barrier) { bound_host->phase_arrive(&barrier->word, 0); }

// Returns when the phase of that parity (its number modulo 2) has ended; the phase after it must not have.
__device__ __forceinline__ void poll_phase(PhaseBarrier* barrier, u32 parity) {
  bound_host->phase_wait(&barrier->word, parity);
}

// The same, asleep until something happens; sm_90.
__device__ __forceinline__ void wait_phase(PhaseBarrier* barrier, u32 parity) {
  bound_host->phase_wait(&barrier->word, parity);
}
