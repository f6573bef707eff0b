// out = the items of in for which predicate(item, threshold) holds, in their order; count[0] = their number.
#include "generator/algorithm.hpp"
#include "generator/selections.hpp"

namespace upsweep {
namespace {

std::vector<Port> select_if_arrays(const Problem& problem) {
  return {{"in", problem.input, Direction::in, Extent::n},
          {"out", problem.output, Direction::out, Extent::at_most_n, "count"},
          {"count", problem.accumulator, Direction::out, Extent::one}};
}

}  // namespace

const AlgorithmEntry& select_if_entry() {
  return *new AlgorithmEntry{
      .name = "select_if",
      .aliases = {"select", "copy_if"},
      .enumerator = Algorithm::select_if,
      .emission = Emission::compact,
      .has_finish = true,
      .has_words = true,
      .ports = select_if_arrays,
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
