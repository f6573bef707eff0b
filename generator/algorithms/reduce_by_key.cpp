// Of each run of equal neighbouring keys: unique = the key, aggregates = op of the run's values. count[0] = the number
// of runs.
#include "generator/by_key.hpp"

namespace upsweep {
namespace {

std::vector<Port> arrays(const Problem& problem) {
  std::vector<Port> all = keys_and_values(problem);
  all.push_back({.name = "unique",
                 .type = all.front().type,
                 .direction = Direction::out,
                 .extent = Extent::at_most_n,
                 .count = "count",
                 .is_key = true});
  all.push_back({"aggregates", problem.output, Direction::out, Extent::at_most_n, "count"});
  all.push_back({"count", Type::u64, Direction::out, Extent::one});
  return all;
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
      .validate = validate_by_key,
      .fold = Fold::counted_values,
      .key = Type::u32,
      .test_data = by_key_data,
  };
}

}  // namespace upsweep
