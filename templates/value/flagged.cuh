// The fold of values since the last segment began, and whether one begins among them.
#pragma once

#include "target/cuda.cuh"

template <typename Value>
struct Flagged {
  Value value;
  u32 begins;  // 1 or 0
};
