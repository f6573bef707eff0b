// out = the first item of each run; count[0] = the number of runs. Neighbouring items belong to one run if
// predicate(in[i - 1], in[i]) holds.
#include "generator/algorithm.hpp"
#include "generator/selections.hpp"

namespace upsweep {
namespace {

std::vector<Port> unique_arrays(const Problem& problem) {
  return {{.name = "in", .type = problem.input, .previous_items = 1},
          {"out", problem.output, Direction::out, Extent::at_most_n, "count"},
          {"count", problem.accumulator, Direction::out, Extent::one}};
}

}  // namespace

const AlgorithmEntry& unique_entry() {
  return *new AlgorithmEntry{
      .name = "unique",
      .enumerator = Algorithm::unique,
      .emission = Emission::compact,
      .has_finish = true,
      .ports = unique_arrays,
      .validate = [](const Problem& problem) { validate_selection(problem, problem.input); },
      .output_is_input = true,
      .accumulator = Type::u64,
      .fold = Fold::counts,
      .usual_operator = Operator::equal_to,
      .test_data = [](const Problem&, const Port&) { return TestData::keys; },
  };
}

}  // namespace upsweep
