// out = the items for which predicate(item, threshold) holds, and behind them the others, both in their order; count[0]
// = the number of the former.
#include "generator/algorithm.hpp"
#include "generator/selections.hpp"

namespace upsweep {
namespace {

std::vector<Port> stable_partition_arrays(const Problem& problem) {
  return {{"in", problem.input, Direction::in, Extent::n},
          {"out", problem.output, Direction::out, Extent::n, "count"},
          {"count", problem.accumulator, Direction::out, Extent::one}};
}

}  // namespace

const AlgorithmEntry& stable_partition_entry() {
  return *new AlgorithmEntry{
      .name = "stable_partition",
      .enumerator = Algorithm::stable_partition,
      .emission = Emission::parts,
      .has_finish = true,
      .ports = stable_partition_arrays,
      .scalars =
          [](const Problem& problem) {
            return std::vector<ScalarPort>{{"threshold", problem.input}};
          },
      .validate = [](const Problem& problem) { validate_selection(problem, problem.input); },
      .output_is_input = true,
      .accumulator = Type::u64,
      .fold = Fold::counts,
      .counts_first = true,
      .test_scalars = [](const Problem& problem) { return std::vector{middle_threshold(problem, problem.input)}; },
  };
}

}  // namespace upsweep
