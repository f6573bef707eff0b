// The items of all parts wait in the same memory, one part behind the other.
#pragma once

#include "parameters.cuh"
#include "tile/scatter.direct.cuh"

struct StoreStorage {
  ScatterStorage<Output> items;
};
