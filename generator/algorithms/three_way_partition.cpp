// first = the items for which predicate(item, threshold) holds; second = of the others, those for which predicate(item,
// second_threshold) holds; rest = all others; each in their order; first_count[0], second_count[0] and rest_count[0] =
// their numbers.
#include "generator/algorithm.hpp"
#include "generator/selections.hpp"

namespace upsweep {
namespace {

std::vector<Port> three_way_partition_arrays(const Problem& problem) {
  return {{"in", problem.input, Direction::in, Extent::n},
          {"first", problem.output, Direction::out, Extent::at_most_n, "first_count"},
          {"second", problem.output, Direction::out, Extent::at_most_n, "second_count"},
          {"rest", problem.output, Direction::out, Extent::at_most_n, "rest_count"},
          {"first_count", problem.accumulator, Direction::out, Extent::one},
          {"second_count", problem.accumulator, Direction::out, Extent::one},
          {"rest_count", problem.accumulator, Direction::out, Extent::one}};
}

}  // namespace

const AlgorithmEntry& three_way_partition_entry() {
  return *new AlgorithmEntry{
      .name = "three_way_partition",
      .aliases = {"partition_three_way"},
      .enumerator = Algorithm::three_way_partition,
      .emission = Emission::parts,
      .has_finish = true,
      .ports = three_way_partition_arrays,
      .scalars =
          [](const Problem& problem) {
            return std::vector<ScalarPort>{{"threshold", problem.input}, {"second_threshold", problem.input}};
          },
      .validate = [](const Problem& problem) { validate_selection(problem, problem.input); },
      .output_is_input = true,
      .accumulator = Type::u64,
      .fold = Fold::part_counts,
      .test_scalars =
          [](const Problem& problem) {
            return std::vector{middle_threshold(problem, problem.input), second_threshold(problem, problem.input)};
          },
  };
}

}  // namespace upsweep
