// Segments that lie one behind another, without gaps.
#pragma once

#include "parameters.cuh"
#include "tile/segment_marks.cuh"

// Which items of a tile lie in no segment.
struct SegmentGaps {};

// Of the `valid` items of a tile from item `first` on.
__device__ __forceinline__ SegmentGaps segment_gaps(const OffsetRange&, const SegmentBegins&, u64, int) { return {}; }
