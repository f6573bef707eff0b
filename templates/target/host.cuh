// The twin of target/cuda.cuh for the host device: the same primitives as plain C++20.
#pragma once

#include "target/host_interface.cuh"
#include "target/types.cuh"
#include "target/host/threads.cuh"
#include "target/host/shared_memory.cuh"
#include "target/host/phase_barriers.cuh"
#include "target/host/copies.cuh"
#include "target/host/launch.cuh"
#include "target/host/warp.cuh"
#include "target/host/redux.cuh"
#include "target/host/bits.cuh"
#include "target/host/global_memory.cuh"
