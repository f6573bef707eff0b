// out = the indices i, ascending, of the items for which predicate(in[i], threshold) holds; count[0] = their number.
#include "generator/algorithm.hpp"
#include "generator/selections.hpp"

namespace upsweep {
namespace {

std::vector<Port> nonzero_arrays(const Problem& problem) {
  return {{"in", problem.input, Direction::in, Extent::n},
          {.name = "out",
           .type = problem.output,
           .direction = Direction::out,
           .extent = Extent::at_most_n,
           .count = "count",
           .is_index = true},
          {"count", problem.accumulator, Direction::out, Extent::one}};
}

void check_nonzero(const Problem& problem) {
  validate_predicate(problem, problem.input);
  validate_counter(problem, problem.output, "writes indices in the output type");
}

}  // namespace

const AlgorithmEntry& nonzero_entry() {
  return *new AlgorithmEntry{
      .name = "nonzero",
      .aliases = {"flatnonzero", "where"},
      .enumerator = Algorithm::nonzero,
      .emission = Emission::compact,
      .has_finish = true,
      .ports = nonzero_arrays,
      .scalars =
          [](const Problem& problem) {
            return std::vector<ScalarPort>{{"threshold", problem.input}};
          },
      .validate = check_nonzero,
      .accumulator = Type::u64,
      .fold = Fold::counts,
      .usual_operator = Operator::not_equal_to,
      .with_index = true,
      .test_scalars = [](const Problem& problem) { return std::vector{middle_threshold(problem, problem.input)}; },
  };
}

}  // namespace upsweep
