// out = the items for which predicate(item, threshold) holds, in their order, and behind them the others, in reverse
// order; count[0] = the number of the former.
#include "generator/algorithm.hpp"
#include "generator/selections.hpp"

namespace upsweep {
namespace {

std::vector<Port> partition_arrays(const Problem& problem) {
  return {{"in", problem.input, Direction::in, Extent::n},
          {"out", problem.output, Direction::out, Extent::n, "count"},
          {"count", problem.accumulator, Direction::out, Extent::one}};
}

}  // namespace

const AlgorithmEntry& partition_entry() {
  return *new AlgorithmEntry{
      .name = "partition",
      .aliases = {"partition_if"},
      .enumerator = Algorithm::partition,
      .emission = Emission::both_ends,
      .has_finish = true,
      .ports = partition_arrays,
      .scalars =
          [](const Problem& problem) {
            return std::vector<ScalarPort>{{"threshold", problem.input}};
          },
      .validate = [](const Problem& problem) { validate_selection(problem, problem.input); },
      .output_is_input = true,
      .accumulator = Type::u64,
      .fold = Fold::counts,
      .test_scalars = [](const Problem& problem) { return std::vector{middle_threshold(problem, problem.input)}; },
  };
}

}  // namespace upsweep
