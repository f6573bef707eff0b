// The number of results of some items, and the fold of the values since the last result.
#pragma once

#include "target/cuda.cuh"

template <typename Count, typename Value>
struct Counted {
  Count count;
  Value value;
};
