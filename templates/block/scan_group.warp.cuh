// Scans the values of a group of threads of one warp.
#pragma once

#include "parameters.cuh"
#include "warp/lane_groups.cuh"

struct GroupScanStorage {};

// Scans one value per thread over the first `active` threads of each group, at least one, in their order. `exclusive`
// becomes the fold of the values before the thread's own (untouched in the first thread). Returns the fold of all to
// all threads of the group. All threads of the block call.
__device__ __forceinline__ Value group_scan(Value value, int active, Value& exclusive, GroupScanStorage&) {
  return scan_lanes<threads_per_row>(value, active, exclusive);
}
