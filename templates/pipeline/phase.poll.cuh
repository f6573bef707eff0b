// Returns when the barrier's phase of that parity has ended; the thread asks again and again (before sm_90).
#pragma once

#include "target/cuda.cuh"

__device__ __forceinline__ void await_phase(PhaseBarrier* barrier, u32 parity) { poll_phase(barrier, parity); }
