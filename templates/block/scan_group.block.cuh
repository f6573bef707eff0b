// Scans the values of a group of threads that is the whole block.
#pragma once

#include "block/values.cuh"
#include "parameters.cuh"

struct GroupScanStorage {
  BlockValues values;
};

// Scans one value per thread over the first `active` threads of the block, at least one, in their order. `exclusive`
// becomes the fold of the values before the thread's own (untouched in the first thread). Returns the fold of all to
// all threads.
__device__ __forceinline__ Value group_scan(Value value, int active, Value& exclusive, GroupScanStorage& storage) {
  return scan_values(value, active, exclusive, storage.values);
}
