// Results one by one, in the order of the items. Scans of segments with gaps between them: a result at the place of
// each item of a segment.
#pragma once

#include "algorithm/hooks.ports.cuh"
#include "algorithm/limits.segments.cuh"
#include "parameters.cuh"
#include "thread/offset_range.cuh"
#include "algorithm/offsets.pairs.cuh"
#include "tile/outputs.segments.cuh"

// Writes the result of item i, if it lies in a segment, from its exclusive prefix, which is undefined for the first
// item, and its inclusive one.
__device__ __forceinline__ void place_result(const Arguments& arguments, u64 i, const Item& item,
                                             const Scalars& scalars, bool, Accumulator exclusive,
                                             Accumulator inclusive) {
  const OffsetRange range{offsets_of(arguments), 0, count_offsets(arguments)};
  const bool is_inside = find_offset(range, first_item(range.offsets, arguments.n) + i + 1) % 2 != 0;
  if (is_inside) put_at(all_results(arguments), i, result_of(item, exclusive.value, inclusive.value, scalars));
}

// Writes what is written once, after the last item.
__device__ __forceinline__ void place_end(const Arguments&, bool, Accumulator) {}
