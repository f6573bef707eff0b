// What sums of the accuracy `binned` are, by their definition in docs/determinism.md and without rounding but where it
// says so: in integers of 2,400 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <upsweep/problem.hpp>

namespace upsweep::test {

// The bins of a problem, as documented.
struct BinsOf {
  int bins = 0;
  int width = 0;
  int first_exponent = 0;
};
[[nodiscard]] BinsOf bins_of(const Problem& problem);

// The exponent of the unit that every number is rounded to.
[[nodiscard]] int unit_exponent(const BinsOf& format, const std::vector<double>& numbers);

// The sum of the numbers, which are items and the initial value. A NaN, if the sum is one.
[[nodiscard]] double binned_sum(const Problem& problem, const std::vector<double>& numbers);

// n items for sums of that type, in four turns: of magnitudes from 1e-8 to 1e8 (f16: all) and either sign; of all
// magnitudes but the largest; at the edges of bins and halfway between units; subnormal ones.
[[nodiscard]] std::vector<double> numbers_for_bins(Type type, std::uint64_t n, int turn, std::uint64_t seed);

// The numbers as items of the type.
[[nodiscard]] std::vector<std::byte> bytes_of_numbers(Type type, const std::vector<double>& numbers);

}  // namespace upsweep::test
