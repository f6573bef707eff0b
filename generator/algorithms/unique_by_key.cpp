// unique = the first key of each run, out = its value; count[0] = the number of runs. Neighbouring items belong to one
// run if predicate(keys[i - 1], keys[i]) holds.
#include "generator/algorithm.hpp"
#include "generator/selections.hpp"

namespace upsweep {
namespace {

std::vector<Port> unique_by_key_arrays(const Problem& problem) {
  const Type key = problem.key.value_or(Type::u32);
  return {{.name = "keys", .type = key, .previous_items = 1, .is_key = true},
          {"values", problem.input, Direction::in, Extent::n},
          {.name = "unique",
           .type = key,
           .direction = Direction::out,
           .extent = Extent::at_most_n,
           .count = "count",
           .is_key = true},
          {"out", problem.output, Direction::out, Extent::at_most_n, "count"},
          {"count", problem.accumulator, Direction::out, Extent::one}};
}

}  // namespace

const AlgorithmEntry& unique_by_key_entry() {
  return *new AlgorithmEntry{
      .name = "unique_by_key",
      .enumerator = Algorithm::unique_by_key,
      .emission = Emission::compact,
      .has_finish = true,
      .ports = unique_by_key_arrays,
      .only_passed_on = "values",
      .validate = [](const Problem& problem) { validate_selection(problem, *problem.key); },
      .output_is_input = true,
      .accumulator = Type::u64,
      .fold = Fold::counts,
      .usual_operator = Operator::equal_to,
      .key = Type::u32,
      .test_data = [](const Problem&,
                      const Port& port) { return port.previous_items > 0 ? TestData::keys : TestData::any; },
  };
}

}  // namespace upsweep
