// What a tile publishes of itself, and what others read of it.
#pragma once

#include "parameters.cuh"

// What a tile has published in this launch.
enum Status : u32 { invalid = 0, aggregate = 1, inclusive_prefix = 2 };

struct Reading {
  Status status;
  Exchanged value;
};
