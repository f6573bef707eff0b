// Emission by positions in the schedule lookahead: which problems take it, and its default and seed shapes.
#include <vector>

#include "generator/algorithm.hpp"
#include "generator/schedules/lookahead_ring.hpp"
#include "generator/stage_ports.hpp"

namespace upsweep::lookahead {
namespace {

// A shape, and how many descriptors each lane of the look-ahead warp reads at once.
struct Positions {
  Shape shape;
  std::int64_t states_per_lane;
};

// Measured on an H200 (driver 580.159.04, 2026-11-26), 2^28 items unless said otherwise. Of u32 in runs of eight,
// unique takes 325 us with of_many_items and 331 us with of_items. nontrivial_runs takes 406 us with
// of_very_many_indices and 442 us with of_items, and for 2^26 items 107 us with of_nontrivial_runs and 116 us with
// of_items. run_length_encode takes 385 us with of_runs and 361 us with of_very_many_indices, but in runs of one item
// 886 us and 910 us.
constexpr Positions of_items{{12, 5, 6, 3}, 5};
constexpr Positions of_many_items{{12, 5, 7, 4}, 5};
constexpr Positions of_very_many_indices{{14, 7, 4, 2}, 2};
constexpr Positions of_runs{{8, 11, 4, 2}, 4};
constexpr Positions of_nontrivial_runs{{16, 5, 5, 3}, 5};
// Of u64, unique takes 602 us with of_wide_items and 627 us with of_items, and run_length_encode 652 us with
// of_wide_runs and 716 us with of_items.
constexpr Positions of_wide_items{{8, 9, 6, 3}, 5};
constexpr Positions of_wide_runs{{12, 7, 5, 3}, 4};
// Unique of u16 takes 221 us with it, and 450 us tuned with other ways to emit. In runs of eight, unique of u8 takes
// 202 us, run_length_encode 236 us and nontrivial_runs 372 us.
constexpr Positions of_narrow_items{{16, 5, 4, 2}, 2};
// Of keys and values: unique_by_key of f32 by u32 takes 697 us with it, and 724 us tuned with other ways to emit.
constexpr Positions of_pairs{{12, 3, 5, 3}, 5};

const Positions& positions_for(const Problem& problem) {
  const AlgorithmEntry& entry = entry_of(problem);
  const std::uint64_t megabytes = input_bytes(problem, problem.size) >> 20;
  const std::size_t width = size_of(problem.input);
  if (tile_inputs(problem).size() > 1) return of_pairs;
  if (width < 4) return of_narrow_items;
  if (entry.result_distance > 1 && (width > 4 || megabytes < 512)) return of_nontrivial_runs;
  if (width > 4) return entry.folds_to_run_begin ? of_wide_runs : of_wide_items;
  if (entry.folds_to_run_begin && entry.result_distance == 1) return of_runs;
  if (entry.with_index && megabytes >= 512) return of_very_many_indices;
  return megabytes < 96 ? of_items : of_many_items;
}

}  // namespace

bool takes_positions(const Problem& problem) {
  const AlgorithmEntry& entry = entry_of(problem);
  return entry.emission == Emission::compact && stage_ports::are_supported(problem) &&
         (entry.fold == Fold::counts || entry.folds_to_run_begin);
}

bool prefers_positions(const Problem& problem) {
  return takes_positions(problem) && !is_single(problem) && tile_inputs(problem).size() == 1;
}

Shape shape_for_positions(const Problem& problem) {
  return positions_for(problem).shape;
}

std::int64_t states_for_positions(const Problem& problem) {
  return positions_for(problem).states_per_lane;
}

std::vector<Shape> seed_shapes_of_positions(const Problem& problem) {
  if (!takes_positions(problem)) return {};
  return {shape_for_positions(problem), of_very_many_indices.shape, of_nontrivial_runs.shape, of_items.shape};
}

}  // namespace upsweep::lookahead
