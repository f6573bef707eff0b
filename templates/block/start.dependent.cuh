// Programmatic dependent launch: blocks may start while the kernel before them in the stream still runs, and let the
// next kernel's do the same. What comes between the two calls overlaps with the kernel before; global memory is not
// touched there.
#pragma once

#include "target/cuda.cuh"

__device__ __forceinline__ void announce_start() { let_next_kernel_start(); }

__device__ __forceinline__ void await_previous_kernel() { wait_for_previous_kernel(); }
