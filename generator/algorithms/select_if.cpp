// out = the items of in for which predicate(item, threshold) holds, in their order; count[0] = their number.
#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {
namespace {

std::vector<Port> arrays(const Problem& problem) {
  return {{"in", problem.input, Direction::in, Extent::n},
          {"out", problem.output, Direction::out, Extent::at_most_n, "count"},
          {"count", problem.accumulator, Direction::out, Extent::one}};
}

std::vector<ScalarPort> threshold(const Problem& problem) {
  return {{"threshold", problem.input}};
}

// Of the tuner's data, which lie all over the range of the type, about half are on either side of its middle. Those
// that are compared for equality are zero, or rarely not.
std::vector<Scalar> test_threshold(const Problem& problem) {
  Scalar value = zero_of(problem.input);
  const bool all_over = entry_of(problem.op).test_data == TestData::any;
  if (all_over && !is_signed(problem.input)) value.bytes[size_of(problem.input) - 1] = std::byte{0x80};
  return {value};
}

void check(const Problem& problem) {
  if (!entry_of(problem.op).is_predicate) {
    throw UsageError(fmt::format(
        "select_if needs a predicate, but {} is an operator that combines items: use less, less_equal, greater, "
        "greater_equal, equal_to or not_equal_to",
        name(problem.op)));
  }
  validate(problem.op, problem.input);
  if (problem.output != problem.input) {
    throw UsageError(
        fmt::format("select_if copies items, so that results of type {} cannot come from items of type "
                    "{}: use {} as output type",
                    name(problem.output), name(problem.input), name(problem.input)));
  }
  if (problem.accumulator != Type::u32 && problem.accumulator != Type::u64) {
    throw UsageError(
        fmt::format("select_if counts items in the accumulator, which cannot be {}: use u64, or u32 for "
                    "fewer than 2^32 items",
                    name(problem.accumulator)));
  }
}

}  // namespace

const AlgorithmEntry& select_if_entry() {
  static const auto& entry = *new AlgorithmEntry{
      .name = "select_if",
      .aliases = {"select", "copy_if"},
      .enumerator = Algorithm::select_if,
      .emission = Emission::compact,
      .has_finish = true,
      .ports = arrays,
      .scalars = threshold,
      .validate = check,
      .output_is_input = true,
      .accumulator = Type::u64,
      .fold = Fold::counts,
      .test_scalars = test_threshold,
  };
  return entry;
}

}  // namespace upsweep
