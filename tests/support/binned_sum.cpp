#include "tests/support/binned_sum.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include "generator/value_type.hpp"
#include "tuner/verify/number.hpp"

namespace upsweep::test {
namespace {

constexpr int least_exponent = -1074;  // all numbers are multiples of 2^least_exponent

// A sum of many magnitudes, in digits of 32 bits, the lowest first.
class Magnitudes {
 public:
  // significand x 2^exponent.
  void add(std::uint64_t significand, int exponent) {
    const int place = exponent - least_exponent, shift = place % 32;
    const std::size_t digit = static_cast<std::size_t>(place) / 32;
    const std::uint64_t low = (significand & 0xffffffffu) << shift, high = (significand >> 32) << shift;
    digits_[digit] += low & 0xffffffffu;
    digits_[digit + 1] += (low >> 32) + (high & 0xffffffffu);
    digits_[digit + 2] += high >> 32;
    carry();
  }
  [[nodiscard]] bool operator<(const Magnitudes& other) const {
    for (std::size_t i = digits_.size(); i-- > 0;) {
      if (digits_[i] != other.digits_[i]) return digits_[i] < other.digits_[i];
    }
    return false;
  }
  // What is not below `other`, less `other`, as text that strtod() reads.
  [[nodiscard]] std::string less(const Magnitudes& other) const {
    std::string text;
    std::int64_t borrow = 0;
    for (std::size_t i = 0; i < digits_.size(); ++i) {
      std::int64_t digit = static_cast<std::int64_t>(digits_[i]) - static_cast<std::int64_t>(other.digits_[i]) + borrow;
      borrow = digit < 0 ? -1 : 0;
      if (digit < 0) digit += std::int64_t{1} << 32;
      for (int k = 0; k < 8; ++k) text.insert(text.begin(), "0123456789abcdef"[digit >> (4 * k) & 15]);
    }
    return "0x" + text + "p" + std::to_string(least_exponent);
  }

 private:
  void carry() {
    for (std::size_t i = 0; i + 1 < digits_.size(); ++i) {
      digits_[i + 1] += digits_[i] >> 32;
      digits_[i] &= 0xffffffffu;
    }
  }
  std::array<std::uint64_t, 75> digits_{};
};

// |value| / 2^unit, rounded to nearest even, times 2^unit.
void add_in_units(Magnitudes& sum, double value, int unit) {
  if (value == 0) return;
  int exponent = 0;
  auto significand = static_cast<std::uint64_t>(std::ldexp(std::frexp(std::abs(value), &exponent), 53));
  exponent -= 53;
  for (; exponent < least_exponent; ++exponent) significand >>= 1;  // zeros, of a subnormal number
  const int dropped = unit - exponent;
  if (dropped <= 0) return sum.add(significand, exponent);
  if (dropped > 60) return;
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1), rest = significand & (2 * half - 1);
  std::uint64_t units = significand >> dropped;
  if (rest > half || (rest == half && units % 2 == 1)) ++units;
  sum.add(units, unit);
}

double as(Type type, double value) {
  std::array<std::byte, 8> bytes{};
  tuner::store_number(type, {.floating = value}, bytes.data());
  return tuner::load_number(type, bytes.data()).floating;
}

}  // namespace

BinsOf bins_of(const Problem& problem) {
  if (problem.input == problem.accumulator && problem.input == Type::f16) return {2, 23, -24};
  if (problem.input == problem.accumulator && problem.input == Type::bf16) return {2, 23, -133};
  if (problem.accumulator == Type::f64) return {3, 52, -1074};
  return {3, 23, -149};
}

int unit_exponent(const BinsOf& format, const std::vector<double>& numbers) {
  int unit = format.first_exponent;
  for (const double number : numbers) {
    if (!std::isfinite(number)) continue;
    while (std::abs(number) >= std::ldexp(1.0, unit + format.width * format.bins - 1)) unit += format.width;
  }
  return unit;
}

double binned_sum(const Problem& problem, const std::vector<double>& numbers) {
  const double infinity = std::numeric_limits<double>::infinity();
  bool plus = false, minus = false;
  const int unit = unit_exponent(bins_of(problem), numbers);
  Magnitudes positive, negative;
  for (const double number : numbers) {
    if (std::isnan(number)) return number;
    plus = plus || number == infinity;
    minus = minus || number == -infinity;
    if (std::isfinite(number)) add_in_units(number > 0 ? positive : negative, number, unit);
  }
  if (plus && minus) return std::numeric_limits<double>::quiet_NaN();
  if (plus || minus) return plus ? infinity : -infinity;
  const bool is_negative = positive < negative;
  const std::string text = is_negative ? "-" + negative.less(positive) : positive.less(negative);
  const bool is_wide = problem.accumulator == Type::f64;
  return as(problem.output, is_wide ? std::strtod(text.c_str(), nullptr) : std::strtof(text.c_str(), nullptr));
}

std::vector<double> numbers_for_bins(Type type, std::uint64_t n, int turn, std::uint64_t seed) {
  const FloatingFormat format = tuner::format_of(type);
  const int least = format.least_exponent - format.digits + 1;
  Problem problem = make_problem(Algorithm::reduce, Operator::plus, type, type);
  const BinsOf bins = bins_of(problem);
  std::mt19937_64 random(seed);
  const auto between = [&](int a, int b) { return std::uniform_int_distribution<int>(a, b)(random); };
  const auto significand = [&] { return std::uniform_real_distribution<double>(-2, 2)(random); };
  std::vector<double> numbers(n);
  for (double& number : numbers) {
    if (turn % 4 == 0) number = std::ldexp(significand(), type == Type::f16 ? between(-24, 10) : between(-27, 26));
    if (turn % 4 == 1) number = std::ldexp(significand(), between(least, format.greatest_exponent - 12));
    if (turn % 4 == 2) {
      // A few neighbouring units, and now and then their highest bin's edge.
      const int highest = format.greatest_exponent - bins.width * bins.bins;
      const int steps = std::max(0, (highest - bins.first_exponent) / bins.width);
      const int unit = bins.first_exponent + bins.width * (steps / 2 + between(0, std::min(steps - steps / 2, 1)));
      const int edge = unit + bins.width * bins.bins - 1;
      const double sign = between(0, 1) == 0 ? 1 : -1;
      number = between(0, 5) == 0 && edge <= format.greatest_exponent
                   ? sign * (std::ldexp(1.0, edge) - (between(0, 1) == 0 ? std::ldexp(1.0, edge - format.digits) : 0))
                   : sign * std::ldexp(between(0, 15) + 0.5, unit + bins.width * between(0, bins.bins - 1));
    }
    if (turn % 4 == 3) number = std::ldexp(significand(), between(least - 1, format.least_exponent - 2));
    number = as(type, number);
  }
  return numbers;
}

std::vector<std::byte> bytes_of_numbers(Type type, const std::vector<double>& numbers) {
  std::vector<std::byte> bytes(numbers.size() * size_of(type));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    tuner::store_number(type, {.floating = numbers[i]}, bytes.data() + i * size_of(type));
  }
  return bytes;
}

}  // namespace upsweep::test
