#include "generator/selections.hpp"

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {

void validate_counter(const Problem& problem, Type type, std::string_view what) {
  if (type == Type::u32 || type == Type::u64) return;
  throw UsageError(fmt::format("{} {}, which cannot be {}: use u64, or u32 for fewer than 2^32 items",
                               name(problem.algorithm), what, name(type)));
}

void validate_predicate(const Problem& problem, Type compared) {
  if (!entry_of(problem.op).is_predicate) {
    throw UsageError(
        fmt::format("{} needs a predicate, but {} is an operator that combines items: use less, less_equal, greater, "
                    "greater_equal, equal_to or not_equal_to",
                    name(problem.algorithm), name(problem.op)));
  }
  validate(problem.op, compared);
  validate_counter(problem, problem.accumulator, "counts items in the accumulator");
}

void validate_selection(const Problem& problem, Type compared) {
  validate_predicate(problem, compared);
  if (problem.output == problem.input) return;
  throw UsageError(fmt::format(
      "{} copies items, so that results of type {} cannot come from items of type {}: use {} as output type",
      name(problem.algorithm), name(problem.output), name(problem.input), name(problem.input)));
}

Scalar middle_threshold(const Problem& problem, Type compared) {
  Scalar value = zero_of(compared);
  const bool all_over = entry_of(problem.op).test_data == TestData::any;
  if (all_over && !is_signed(compared)) value.bytes[size_of(compared) - 1] = std::byte{0x80};
  return value;
}

}  // namespace upsweep
