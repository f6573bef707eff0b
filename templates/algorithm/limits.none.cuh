// How many items a call has, and for how many results there is room: as the host says, and for all.
#pragma once

#include "parameters.cuh"

constexpr bool has_limits = false;

__device__ __forceinline__ u64 items_of(const Arguments& arguments) { return arguments.n; }

__device__ __forceinline__ u64 capacity_of(const Arguments&) { return ~u64(0); }

__device__ __forceinline__ bool is_below(u32, u32) { return true; }

__device__ __forceinline__ bool has_room(u64, u64) { return true; }

__device__ __forceinline__ u32 results_with_room(u64, u64, u32 count) { return count; }
