// What a worker keeps of a tile of segments from its fold to the completion of the totals that it left.
#pragma once

#include "parameters.cuh"

struct Kept {
  int first_end;  // of the thread's places, the first one before which a segment ends; -1: none
  Key offset;     // of whole tiles: the lane's first offset of those of the warp, if there are so many,
  Key before;     // and the one before it
};
