// A call without items has no results.
#pragma once

#include "parameters.cuh"

__device__ __forceinline__ void finish_without_items(const Arguments&, const Scalars&) {}
