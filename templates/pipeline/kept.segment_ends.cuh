// What a worker keeps of a tile of segments from its fold to the completion of the totals that it left.
#pragma once

#include "parameters.cuh"

struct Kept {
  int first_end;  // of the thread's places, the first one before which a segment ends; -1: none
};
