// Of each run of equal neighbouring keys: unique = the key, aggregates = op of the run's values. count[0] = the number
// of runs.
#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {
namespace {

std::vector<Port> arrays(const Problem& problem) {
  const Type key = problem.key.value_or(Type::u32);
  return {{.name = "keys", .type = key, .with_previous = true, .is_key = true},
          {"values", problem.input, Direction::in, Extent::n},
          {.name = "unique",
           .type = key,
           .direction = Direction::out,
           .extent = Extent::at_most_n,
           .count = "count",
           .is_key = true},
          {"aggregates", problem.output, Direction::out, Extent::at_most_n, "count"},
          {"count", Type::u64, Direction::out, Extent::one}};
}

TestData data_of(const Problem& problem, const Port& port) {
  return port.with_previous ? TestData::keys : entry_of(problem.op).test_data;
}

void check(const Problem& problem) {
  if (!is_number(*problem.key) || is_complex(*problem.key)) {
    throw UsageError(fmt::format("keys of type {} cannot be compared: use a type of numbers that are not complex",
                                 name(*problem.key)));
  }
  validate_fold(problem);
}

}  // namespace

const AlgorithmEntry& reduce_by_key_entry() {
  return *new AlgorithmEntry{
      .name = "reduce_by_key",
      .aliases = {"by_key"},
      .enumerator = Algorithm::reduce_by_key,
      .emission = Emission::compact,
      .has_finish = true,
      .ports = arrays,
      .validate = check,
      .fold = Fold::counted_values,
      .key = Type::u32,
      .test_data = data_of,
  };
}

}  // namespace upsweep
