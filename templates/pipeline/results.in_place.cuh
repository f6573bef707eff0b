// Results wait in the stage of their items.
#pragma once

#include "pipeline/span.cuh"

struct ResultStorage {};

// Where a tile's results wait to be stored: where its items were.
__device__ __forceinline__ Output* results_of(Input* stage, ResultStorage&) { return reinterpret_cast<Output*>(stage); }
