// The items of one segment.
#pragma once

#include "algorithm/offsets.one_array.cuh"
#include "parameters.cuh"

struct Extent {
  u64 begin, end;
};

// Of wrong offsets, items that there are.
__device__ __forceinline__ Extent extent_of(const Arguments& arguments, u64 segment) {
  const Offsets offsets = offsets_of(arguments);
  const u64 first = has_gaps ? 2 * segment : segment;
  const u64 begin = offset_at(offsets, first), offset = offset_at(offsets, first + 1);
  const u64 end = offset < arguments.n ? offset : arguments.n;
  return {begin < end ? begin : end, end};
}
