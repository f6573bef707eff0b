// A value for each of a few neighbouring columns: what rows combine to along an axis.
#pragma once

#include "target/cuda.cuh"

template <typename Value, int count>
struct Columns {
  Value of[count];
};
