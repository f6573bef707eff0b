// unique = the last item of each run, lengths = its number of items; count[0] = the number of runs. Neighbouring items
// belong to one run if predicate(in[i - 1], in[i]) holds.
#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
#include "generator/selections.hpp"

namespace upsweep {
namespace {

std::vector<Port> run_arrays(const Problem& problem) {
  return {{.name = "in", .type = problem.input, .previous_items = 1},
          {"unique", problem.input, Direction::out, Extent::at_most_n, "count"},
          {"lengths", problem.output, Direction::out, Extent::at_most_n, "count"},
          {"count", Type::u64, Direction::out, Extent::one}};
}

void check_runs(const Problem& problem) {
  validate_predicate(problem, problem.input);
  if (problem.output == problem.accumulator) return;
  throw UsageError(fmt::format("run_length_encode counts in the type of the lengths: use {} as output type",
                               name(problem.accumulator)));
}

}  // namespace

const AlgorithmEntry& run_length_encode_entry() {
  return *new AlgorithmEntry{
      .name = "run_length_encode",
      .aliases = {"rle"},
      .enumerator = Algorithm::run_length_encode,
      .emission = Emission::compact,
      .has_finish = true,
      .ports = run_arrays,
      .validate = check_runs,
      .accumulator = Type::u32,
      .fold = Fold::counted_values,
      .usual_operator = Operator::equal_to,
      .value_combination = "first",
      .folds_to_run_begin = true,
      .with_index = true,
      .test_data = [](const Problem&, const Port&) { return TestData::keys; },
  };
}

}  // namespace upsweep
