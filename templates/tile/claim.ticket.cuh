#pragma once

#include "tile/workspace.cuh"

// The tile that this block works on after `done` others, by one thread. Tiles go to blocks in the order in which they
// ask, so that a tile depends only on tiles of blocks that run already: no order in which blocks are started can lead
// to a deadlock (Merrill and Garland, 2016, section 4.4).
__device__ __forceinline__ u32 next_tile(Workspace* workspace, u32) {
  return add_relaxed(&workspace->ticket, 1);
}
