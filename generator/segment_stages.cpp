#include "generator/segment_stages.hpp"

#include <fmt/format.h>

#include "generator/algorithm.hpp"
#include "generator/value_type.hpp"

namespace upsweep::segment_stages {

std::string span(const Problem& problem) {
  const bool folds = is_fold_of_segments(problem);
  const char* const out = folds ? "arguments.out" : "arguments.out + first";
  const char* const share =
      folds ? "\n  u64 own_offsets;    // of each tile, of which it writes the results of runs of empty segments\n"
              "  Workspace* workspace;"
            : "";
  return fmt::format(
      R"(  OffsetRange range;  // all offsets
  u64 first;          // index of the first item{share}
}};

__device__ __forceinline__ Span span_of_arrays(const Arguments& arguments) {{
  const OffsetRange range{{offsets_of(arguments), 0, count_offsets(arguments)}};
  const u64 first = first_item(range.offsets, arguments.n), n = items_of(arguments);
  const u32 offset = u32(reinterpret_cast<u64>(arguments.in + first) % grid_bytes / sizeof(Input));
  return {{arguments.in + first - offset, {out}, offset, offset + n,
          u32((offset + n + tile_places - 1) / tile_places), replaces_items(arguments), capacity_of(arguments),
          range, first{size}}};
}}

__device__ __forceinline__ bool replaces_items(const Span& span) {{ return span.in_place; }}

// The index in the array of a tile's place.
__device__ __forceinline__ u64 index_of_place(const Span& span, u32 tile, int place) {{
  return span.first + u64(tile) * tile_places + u64(place) - span.begin;
}}
)",
      fmt::arg("share", share), fmt::arg("out", out),
      fmt::arg("size",
               folds ? ",\n          share_of_offsets(range.end, (offset + n + tile_places - 1) / tile_places), nullptr"
                     : ""));
}

std::string mark_in_turn(const Problem& problem) {
  const bool folds = is_fold_of_segments(problem);
  const std::string first =
      "load_first_marked(span.range, index_of_place(span, tile, extent_of(span, tile).begin), samples)";
  const std::string loads =
      folds ? "  const ShareEnds own = ends_of_share(span.range, u64(tile) * span.own_offsets, span.own_offsets);\n"
              "  return {" +
                  first + ", own};\n"
            : "  return {" + first + "};\n";
  return fmt::format(R"(// The offsets that a warp loads to mark where segments begin in a tile.
struct TileOffsets {{
  FirstMarked first;{ends}
}};

__device__ __forceinline__ TileOffsets load_tile_offsets(const Span& span, u32 tile, SampledOffsets& samples) {{
{loads}}}

// Marks the places of a tile that is being loaded into a stage, by one warp. The phase of `full` ends when the tile is
// loaded and marked.
__device__ __forceinline__ void mark_in_turn(Parts& to, const Span& span, u32 tile, const TileOffsets& offsets,
                                             PhaseBarrier* full) {{
  mark_segments<{keeps_begins}>(span.range, index_of_place(span, tile, 0), extent_of(span, tile), tile == 0,
                      offsets.first, to.marks);
{keeps_share}  warp_barrier();
  if (lane_index() == 0) arrive(full);
}}

)",
                     fmt::arg("keeps_begins", folds ? "true" : "has_gaps"),
                     fmt::arg("keeps_share", folds ? "  if (lane_index() == 0) {\n    to.marks.is_shared_out = "
                                                     "offsets.own.first == offsets.own.last;\n  }\n"
                                                   : ""),
                     fmt::arg("ends", folds ? "\n  ShareEnds own;" : ""), fmt::arg("loads", loads));
}

std::string totals(const Problem& problem) {
  const char* const where = totals_in_place(problem)
                                ? "reinterpret_cast<Value*>(places.parts->in + bytes_before(span.in, 0))"
                                : "places.parts->totals";
  return fmt::format(
      "// Where the totals of segments are left: from that of one that ends before place 0 on.\n"
      "__device__ __forceinline__ Value* totals_of_tile(const Span&{}, const Places& places) {{\n"
      "  return {};\n}}\n\n",
      totals_in_place(problem) ? " span" : "", where);
}

std::string results() {
  return R"(// Made for folds of segments.
#pragma once

#include "parameters.cuh"
#include "pipeline/stage.ports.cuh"

// Results wait nowhere.
struct ResultStorage {};

__device__ __forceinline__ ResultStorage& results_of(const Parts&, ResultStorage& storage) { return storage; }
)";
}

bool totals_in_place(const Problem& problem) {
  return size_of(problem.input) == size_of(problem.accumulator) &&
         alignment_of(problem.input) == alignment_of(problem.accumulator);
}

}  // namespace upsweep::segment_stages
