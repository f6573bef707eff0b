// The places of results do not depend on how many items of all are kept.
#pragma once

#include "parameters.cuh"
#include "tile/inputs.single.cuh"

// Whether the kernel counts first how many items of all are kept.
constexpr bool counts_first = false;

template <typename Results, typename Fold>
__device__ __forceinline__ void set_front(Results&, const Fold&) {}
template <typename Results, typename Fold>
__device__ __forceinline__ void set_first_front(Results&, const Fold&) {}
