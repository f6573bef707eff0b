#include "generator/selections.hpp"

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {

void validate_selection(const Problem& problem, Type compared) {
  const std::string_view algorithm = name(problem.algorithm);
  if (!entry_of(problem.op).is_predicate) {
    throw UsageError(
        fmt::format("{} needs a predicate, but {} is an operator that combines items: use less, less_equal, greater, "
                    "greater_equal, equal_to or not_equal_to",
                    algorithm, name(problem.op)));
  }
  validate(problem.op, compared);
  if (problem.output != problem.input) {
    throw UsageError(fmt::format(
        "{} copies items, so that results of type {} cannot come from items of type {}: use {} as output type",
        algorithm, name(problem.output), name(problem.input), name(problem.input)));
  }
  if (problem.accumulator != Type::u32 && problem.accumulator != Type::u64) {
    throw UsageError(
        fmt::format("{} counts items in the accumulator, which cannot be {}: use u64, or u32 for fewer than 2^32 items",
                    algorithm, name(problem.accumulator)));
  }
}

Scalar middle_threshold(const Problem& problem, Type compared) {
  Scalar value = zero_of(compared);
  const bool all_over = entry_of(problem.op).test_data == TestData::any;
  if (all_over && !is_signed(compared)) value.bytes[size_of(compared) - 1] = std::byte{0x80};
  return value;
}

}  // namespace upsweep
