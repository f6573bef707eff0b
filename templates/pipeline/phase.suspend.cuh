// Returns when the barrier's phase of that parity has ended; the thread sleeps until then.
#pragma once

#include "target/cuda.cuh"

__device__ __forceinline__ void await_phase(PhaseBarrier* barrier, u32 parity) { wait_phase(barrier, parity); }
