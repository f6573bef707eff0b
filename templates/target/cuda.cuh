// All primitives that touch the machine. Only the files of target/cuda have inline PTX; target/host has a twin of each
// with the same primitives for the CPU.
#pragma once

#include "target/types.cuh"
#include "target/cuda/threads.cuh"
#include "target/cuda/shared_memory.cuh"
#include "target/cuda/phase_barriers.cuh"
#include "target/cuda/copies.cuh"
#include "target/cuda/launch.cuh"
#include "target/cuda/warp.cuh"
#include "target/cuda/redux.cuh"
#include "target/cuda/bits.cuh"
#include "target/cuda/global_memory.cuh"
