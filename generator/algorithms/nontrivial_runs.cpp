// Of each run of at least two items: offsets = the index of its first item, lengths = its number of items; count[0] =
// the number of these runs. Neighbouring items belong to one run if predicate(in[i - 1], in[i]) holds.
#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
#include "generator/selections.hpp"

namespace upsweep {
namespace {

// A run's results are emitted by the first item behind it, which sees that the two items before are of one run.
std::vector<Port> nontrivial_run_arrays(const Problem& problem) {
  return {{.name = "in", .type = problem.input, .previous_items = 2},
          {.name = "offsets",
           .type = problem.output,
           .direction = Direction::out,
           .extent = Extent::at_most_n,
           .count = "count",
           .is_index = true},
          {"lengths", problem.output, Direction::out, Extent::at_most_n, "count"},
          {"count", Type::u64, Direction::out, Extent::one}};
}

void check_nontrivial_runs(const Problem& problem) {
  validate_predicate(problem, problem.input);
  if (problem.output == problem.accumulator) return;
  throw UsageError(fmt::format("nontrivial_runs counts in the type of the offsets and lengths: use {} as output type",
                               name(problem.accumulator)));
}

}  // namespace

const AlgorithmEntry& nontrivial_runs_entry() {
  return *new AlgorithmEntry{
      .name = "nontrivial_runs",
      .enumerator = Algorithm::nontrivial_runs,
      .emission = Emission::compact,
      .has_finish = true,
      .ports = nontrivial_run_arrays,
      .validate = check_nontrivial_runs,
      .accumulator = Type::u32,
      .fold = Fold::counted_values,
      .usual_operator = Operator::equal_to,
      .result_distance = 2,
      .value_combination = "maximum",
      .folds_to_run_begin = true,
      .with_index = true,
      .test_data = [](const Problem&, const Port&) { return TestData::keys; },
  };
}

}  // namespace upsweep
