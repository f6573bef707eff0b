#include "generator/selections.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
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

bool counts_few_items(const Problem& problem) {
  constexpr std::uint64_t few = 1 << 13, many = 1 << 17, many_bytes = 256 << 10;
  const Fold fold = entry_of(problem).fold;
  const std::uint64_t widest = std::max(size_of(problem.input), size_of(problem.output));
  return is_compact(problem) && (fold == Fold::counts || fold == Fold::part_counts) && problem.size > few &&
         problem.size <= many && problem.size * widest <= many_bytes;
}

Scalar middle_threshold(const Problem& problem, Type compared) {
  Scalar value = zero_of(compared);
  const bool all_over = entry_of(problem.op).test_data == TestData::any;
  if (all_over && !is_signed(compared)) value.bytes[size_of(compared) - 1] = std::byte{0x80};
  return value;
}

Scalar second_threshold(const Problem& problem, Type compared) {
  Scalar value = middle_threshold(problem, compared);
  if (!is_number(compared)) return value;
  const bool rises = problem.op == Operator::less || problem.op == Operator::less_equal;
  const bool falls = problem.op == Operator::greater || problem.op == Operator::greater_equal;
  if (!rises && !falls) return parse_scalar(compared, "1");
  if (is_floating(compared)) {
    // Test data are integers of either sign, up to the greatest of which the type holds all (at most 2^30).
    const char* const half = compared == Type::f16    ? "1024"
                             : compared == Type::bf16 ? "128"
                             : compared == Type::f32  ? "8388608"
                                                      : "536870912";
    return parse_scalar(compared, (rises ? "" : "-") + std::string(half));
  }
  // A quarter of the range away from the middle.
  const bool falls_below_zero = falls && is_signed(compared), rises_above_middle = rises && !is_signed(compared);
  value.bytes[size_of(compared) - 1] = falls_below_zero || rises_above_middle ? std::byte{0xc0} : std::byte{0x40};
  return value;
}

}  // namespace upsweep
