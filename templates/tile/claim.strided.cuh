#pragma once

#include "tile/workspace.cuh"

// The tile that this block works on after `done` others. Every block must run at the same time as all others (a
// cooperative launch). Which block has which tiles does not depend on timing, and so neither does the association.
__device__ __forceinline__ u32 next_tile(Workspace*, u32 done) {
  return done * grid_size() + block_index();
}
