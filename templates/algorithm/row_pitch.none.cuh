// Rows lie one behind the other.
#pragma once

#include "parameters.cuh"

constexpr bool has_row_gaps = false;

// How many items the begins of neighbouring rows are apart.
__device__ __forceinline__ u64 in_pitch_of(const Arguments& arguments) { return arguments.row_length; }

// The same of the output of a scan.
__device__ __forceinline__ u64 out_pitch_of(const Arguments& arguments) { return arguments.row_length; }

// How many items lie before the end of the last row, of at least one item.
__device__ __forceinline__ u64 in_places_of(const Arguments& arguments) {
  return arguments.rows * arguments.row_length;
}
