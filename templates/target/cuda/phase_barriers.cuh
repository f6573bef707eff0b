// Phase barriers in shared memory (PTX: mbarrier); sm_80
#pragma once

#include "target/cuda/shared_memory.cuh"
#include "target/types.cuh"

// By one thread, once, before any other use.
__device__ __forceinline__ void init_barrier(PhaseBarrier* barrier, u32 arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals) : "memory");
}

// What this thread wrote to shared memory before is seen by whoever waits for the phase to end.
__device__ __forceinline__ void arrive(PhaseBarrier* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}

// Returns when the phase of that parity (its number modulo 2) has ended; the phase after it must not have.
__device__ __forceinline__ void poll_phase(PhaseBarrier* barrier, u32 parity) {
  u32 ended;
  do {
    asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(ended)
                 : "r"(shared_address(barrier)), "r"(parity)
                 : "memory");
  } while (ended == 0);
}

// The same, asleep until something happens; sm_90.
__device__ __forceinline__ void wait_phase(PhaseBarrier* barrier, u32 parity) {
  u32 ended;
  do {
    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(ended)
                 : "r"(shared_address(barrier)), "r"(parity)
                 : "memory");
  } while (ended == 0);
}
