#include "generator/by_key.hpp"

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {

std::vector<Port> keys_and_values(const Problem& problem) {
  return {{.name = "keys", .type = problem.key.value_or(Type::u32), .previous_items = 1, .is_key = true},
          {"values", problem.input, Direction::in, Extent::n}};
}

std::vector<Port> scan_by_key_ports(const Problem& problem) {
  std::vector<Port> arrays = keys_and_values(problem);
  arrays.push_back({"out", problem.output, Direction::out, Extent::n});
  return arrays;
}

void validate_by_key(const Problem& problem) {
  if (!is_number(*problem.key) || is_complex(*problem.key)) {
    throw UsageError(fmt::format("keys of type {} cannot be compared: use a type of numbers that are not complex",
                                 name(*problem.key)));
  }
  validate_fold(problem);
}

TestData by_key_data(const Problem& problem, const Port& port) {
  return port.previous_items > 0 ? TestData::keys : entry_of(problem.op).test_data;
}

}  // namespace upsweep
