#include <upsweep/problem.hpp>

#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <upsweep/error.hpp>
#include <upsweep/scalar.hpp>

namespace upsweep {
namespace {

// Whether the operator is defined on the type.
bool takes(Operator op, Type type) {
  switch (op) {
    case Operator::bit_and:
    case Operator::bit_or:
    case Operator::bit_xor:
      return !is_floating(type);
    case Operator::affine:
      return type == Type::u32 || type == Type::u64;
    default:
      return true;
  }
}

}  // namespace

Problem make_problem(Algorithm algorithm, Operator op, Type input, Type accumulator, std::uint64_t size) {
  return {.algorithm = algorithm,
          .op = op,
          .input = input,
          .accumulator = accumulator,
          .output = accumulator,
          .size = size};
}

void validate(const Problem& problem) {
  if (!takes(problem.op, problem.accumulator)) {
    throw UsageError(fmt::format("operator {} does not take {}: use {}", name(problem.op), name(problem.accumulator),
                                 problem.op == Operator::affine ? "u32 or u64" : "an integer type"));
  }
  if (is_floating(problem.input) && !is_floating(problem.accumulator)) {
    throw UsageError(fmt::format("{} values cannot be accumulated in {}: use f32 or f64 as accumulator",
                                 name(problem.input), name(problem.accumulator)));
  }
  if (is_floating(problem.accumulator) && !is_floating(problem.output)) {
    throw UsageError(fmt::format("an accumulator of {} cannot be written as {}: use a floating output type",
                                 name(problem.accumulator), name(problem.output)));
  }
}

std::string to_string(const Problem& problem) {
  std::string text = fmt::format("{} {} {}", name(problem.algorithm), name(problem.op), name(problem.input));
  if (problem.accumulator != problem.input) text += fmt::format(" in {}", name(problem.accumulator));
  if (problem.output != problem.accumulator) text += fmt::format(" to {}", name(problem.output));
  return text;
}

int size_class(std::uint64_t n) noexcept {
  if (n <= 1) return 0;
  const int below = static_cast<int>(std::bit_width(n)) - 1;
  // n / 2^below > sqrt(2), compared in integers: the top 32 bits of n, squared.
  const std::uint64_t top = below >= 31 ? n >> (below - 31) : n << (31 - below);
  return top * top > std::uint64_t{1} << 63 ? below + 1 : below;
}

}  // namespace upsweep
