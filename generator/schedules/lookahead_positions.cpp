// Emission by positions in the schedule lookahead: which problems take it, and its default and seed shapes.
#include <vector>

#include "generator/algorithm.hpp"
#include "generator/schedules/lookahead_ring.hpp"
#include "generator/stage_ports.hpp"

namespace upsweep::lookahead {
namespace {

// Emission by positions (H200, driver 580.159.04, 2026-11-26). 2^28 items of u32 in runs of eight: unique takes 325 us
// with the second shape and 331 us with the first; nontrivial_runs takes 406 us with the third and 442 us with the
// first, and for 2^26 items 107 us with the fifth and 116 us with the first. run_length_encode takes 385 us with the
// fourth shape and 361 us with the third; in runs of one, 886 us and 910 us. 2^28 items of u64: unique takes 602 us
// with the sixth and 627 us with the first, run_length_encode 652 us with the seventh and 716 us with the first.
constexpr Shape shape_of_positions{12, 5, 6, 3};
constexpr Shape large_shape_of_positions{12, 5, 7, 4};
constexpr Shape very_large_shape_of_positions{14, 7, 4, 2};
constexpr Shape shape_of_run_positions{8, 11, 4, 2};
constexpr Shape shape_of_nontrivial_run_positions{16, 5, 5, 3};
constexpr Shape shape_of_wide_positions{8, 9, 6, 3};
constexpr Shape shape_of_wide_run_positions{12, 7, 5, 3};
// Unique of 2^28 items of u16 takes 221 us with it, and 450 us tuned with other ways to emit.
constexpr Shape shape_of_narrow_positions{16, 5, 4, 2};
// Of keys and values: unique_by_key of f32 by u32, 2^28 items, takes 697 us with it, and 724 us tuned with other ways.
constexpr Shape shape_of_pair_positions{12, 3, 5, 3};

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
  const AlgorithmEntry& entry = entry_of(problem);
  const std::uint64_t megabytes = input_bytes(problem, problem.size) >> 20;
  const std::size_t width = size_of(problem.input);
  if (tile_inputs(problem).size() > 1) return shape_of_pair_positions;
  if (width < 4) return shape_of_narrow_positions;
  if (entry.result_distance > 1 && (width > 4 || megabytes < 512)) return shape_of_nontrivial_run_positions;
  if (width > 4) return entry.folds_to_run_begin ? shape_of_wide_run_positions : shape_of_wide_positions;
  if (entry.folds_to_run_begin && entry.result_distance == 1) return shape_of_run_positions;
  if (entry.with_index && megabytes >= 512) return very_large_shape_of_positions;
  return megabytes < 96 ? shape_of_positions : large_shape_of_positions;
}

std::int64_t states_for_positions(const Problem& problem) {
  const Shape shape = shape_for_positions(problem);
  if (shape.worker_warps == very_large_shape_of_positions.worker_warps || size_of(problem.input) < 4) return 2;
  return entry_of(problem).folds_to_run_begin && entry_of(problem).result_distance == 1 ? 4 : 5;
}

std::vector<Shape> seed_shapes_of_positions(const Problem& problem) {
  if (!takes_positions(problem)) return {};
  return {shape_for_positions(problem), very_large_shape_of_positions, shape_of_nontrivial_run_positions,
          shape_of_positions};
}

}  // namespace upsweep::lookahead
