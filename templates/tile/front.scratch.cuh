// Where parts begin: of a stable partition, a step before has written how many items are in front.
#pragma once

#include "algorithm/parts.stable_partition.cuh"
#include "parameters.cuh"
#include "tile/outputs.parts.cuh"

// Whether the kernel counts the items in front itself.
constexpr bool counts_first = false;

template <typename Fold>
__device__ __forceinline__ void set_front(TileResults&, const Fold&) {}
template <typename Fold>
__device__ __forceinline__ void set_first_front(TileResults&, const Fold&) {}

// How many items of all are in front. Only after the wait for the previous kernel.
__device__ __forceinline__ u64 front_of(const TileResults& all) { return front_of(*all.arguments); }
