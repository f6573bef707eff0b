// What a worker keeps of a tile of segments from its fold to the completion of what it left: where the first of the
// thread's segments ends, if one does.
#pragma once

#include "parameters.cuh"

struct Kept {
  u32 slot;     // of the totals of the warp
  u32 ends;     // how many of the thread's items a segment ends before
  u32 is_bare;  // whether that is so before its first one: nothing of the thread belongs to that segment
};
