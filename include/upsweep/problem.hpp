// A problem: what is computed, never how.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include <upsweep/types.hpp>

namespace upsweep {

struct Problem {
  Algorithm algorithm = Algorithm::inclusive_scan;
  Operator op = Operator::plus;
  Type input = Type::i32;
  Type accumulator = Type::i32;  // every operator application is rounded or wrapped to this type
  Type output = Type::i32;       // by default the accumulator type
  // Number of items the caller expects. It chooses the config, never the result: a plan runs any number of items.
  std::uint64_t size = std::uint64_t{1} << 24;

  auto operator<=>(const Problem&) const = default;
};

// A problem with accumulator and output of one type.
[[nodiscard]] Problem make_problem(Algorithm algorithm, Operator op, Type input, Type accumulator,
                                   std::uint64_t size = std::uint64_t{1} << 24);

// The problems that results are shipped for: sums of every type, minimum and maximum of every type that has an order,
// by every algorithm, items, accumulator and output of one type.
[[nodiscard]] std::vector<Problem> built_in_problems();

// Throws UsageError, saying what to change, where the operator does not take the accumulator type or a conversion would
// lose the integer meaning (floating input into an integer accumulator, floating accumulator into an integer output) or
// an imaginary part. A real value becomes a complex one without an imaginary part.
void validate(const Problem& problem);

// "inclusive_scan plus i32", or "inclusive_scan plus i32 in i64 to f32" where the types differ; without the size.
[[nodiscard]] std::string to_string(const Problem& problem);

// Size class: the exponent of the power of two nearest to n in ratio; 0 for n of 0 or 1.
[[nodiscard]] int size_class(std::uint64_t n) noexcept;

}  // namespace upsweep
