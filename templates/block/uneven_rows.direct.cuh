// Scans of rows that do not fill vectors: each result goes to memory on its own.
#pragma once

#include "algorithm/start.initial.cuh"
#include "parameters.cuh"
#include "thread/single_columns_scan.cuh"

__device__ __forceinline__ void scan_uneven_rows(const Arguments& arguments, const Scalars& scalars) {
  scan_single_columns(arguments, scalars);
}
