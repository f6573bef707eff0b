#include "generator/segment_stages.hpp"

namespace upsweep::segment_stages {

std::string span() {
  return R"(  OffsetRange range;  // all offsets
  u64 first;          // index of the first item
  u64 items;          // of the array
};

__device__ __forceinline__ Span span_of_arrays(const Arguments& arguments) {
  const OffsetRange range{offsets_of(arguments), 0, count_offsets(arguments)};
  const u64 first = first_item(range.offsets, arguments.n), n = items_of(arguments);
  const u32 offset = u32(reinterpret_cast<u64>(arguments.in + first) % grid_bytes / sizeof(Input));
  return {arguments.in + first - offset, arguments.out + first, offset, offset + n,
          u32((offset + n + tile_places - 1) / tile_places), replaces_items(arguments), capacity_of(arguments),
          range, first, arguments.n};
}

__device__ __forceinline__ bool replaces_items(const Span& span) { return span.in_place; }

// The index in the array of a tile's place.
__device__ __forceinline__ u64 index_of_place(const Span& span, u32 tile, int place) {
  return span.first + u64(tile) * tile_places + u64(place) - span.begin;
}
)";
}

std::string marks() {
  return "  if (lane_index() == 0 && tile > 0) prefetch_tile<tile_places>(span.in, span.end, tile);\n"
         "  mark_segments(span.range, span.items, index_of_place(span, tile, 0), extent_of(span, tile), tile == 0, "
         "to.marks);\n";
}

}  // namespace upsweep::segment_stages
