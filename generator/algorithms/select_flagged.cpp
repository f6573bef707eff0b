// out = the items of in for whose flags predicate(flag, threshold) holds, in their order; count[0] = their number.
#include "generator/algorithm.hpp"
#include "generator/selections.hpp"

namespace upsweep {
namespace {

std::vector<Port> select_flagged_arrays(const Problem& problem) {
  return {{"in", problem.input, Direction::in, Extent::n},
          {.name = "flags", .type = problem.key.value_or(Type::u8), .is_key = true},
          {"out", problem.output, Direction::out, Extent::at_most_n, "count"},
          {"count", problem.accumulator, Direction::out, Extent::one}};
}

}  // namespace

const AlgorithmEntry& select_flagged_entry() {
  return *new AlgorithmEntry{
      .name = "select_flagged",
      .aliases = {"flagged"},
      .enumerator = Algorithm::select_flagged,
      .emission = Emission::compact,
      .has_finish = true,
      .ports = select_flagged_arrays,
      .only_passed_on = "in",
      .scalars =
          [](const Problem& problem) {
            return std::vector<ScalarPort>{{"threshold", *problem.key}};
          },
      .validate = [](const Problem& problem) { validate_selection(problem, *problem.key); },
      .output_is_input = true,
      .accumulator = Type::u64,
      .fold = Fold::counts,
      .key = Type::u8,
      .test_scalars = [](const Problem& problem) { return std::vector{middle_threshold(problem, *problem.key)}; },
  };
}

}  // namespace upsweep
