#include "tests/support/accurate_sums.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "tuner/verify/number.hpp"

namespace upsweep::test {
namespace {

std::vector<double> numbers_of(Type type, const std::vector<std::byte>& bytes, std::uint64_t n) {
  std::vector<double> numbers(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    numbers[i] = tuner::load_number(type, bytes.data() + i * size_of(type)).floating;
  }
  return numbers;
}

// In the order in which the algorithm adds them.
std::vector<double> in_order(const Problem& problem, std::vector<double> numbers) {
  if (is_backward(problem)) std::reverse(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace

void ExactSum::add(double value) {
  std::size_t kept = 0;
  for (const double part : parts_) {
    const double sum = value + part, of_part = sum - value;
    const double rest = (value - (sum - of_part)) + (part - of_part);
    if (rest != 0) parts_[kept++] = rest;
    value = sum;
  }
  parts_.resize(kept);
  if (value != 0) parts_.push_back(value);
}

double ExactSum::value() const {
  double sum = 0;
  for (const double part : parts_) sum += part;
  return sum;
}

double ExactSum::distance(double from) const {
  ExactSum difference = *this;
  difference.add(-from);
  return std::abs(difference.value());
}

std::vector<std::byte> cancelling_items(Type type, std::uint64_t n, std::uint64_t seed, int range) {
  std::mt19937_64 random(seed);
  if (range == 0) range = size_of(type) == 2 ? 6 : size_of(type) == 4 ? 14 : 40;
  std::uniform_real_distribution<double> significand(-1, 1);
  std::uniform_int_distribution<int> exponent(-range, range);
  std::vector<double> numbers(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    const bool cancels = i >= n / 2 && i % 8 != 0 && i - n / 2 < n / 2;
    numbers[i] = cancels ? -numbers[i - n / 2] : std::ldexp(significand(random), exponent(random));
  }
  if (n > 1) std::shuffle(numbers.begin() + static_cast<std::ptrdiff_t>(n / 2), numbers.end(), random);
  std::vector<std::byte> bytes(n * size_of(type));
  for (std::uint64_t i = 0; i < n; ++i) {
    tuner::store_number(type, {.floating = numbers[i]}, bytes.data() + i * size_of(type));
  }
  return bytes;
}

double error_bound(const Problem& problem, double exact, double magnitudes, double depth) {
  const auto unit = [](Type type) { return std::ldexp(1.0, -tuner::format_of(type).digits); };
  const FloatingFormat output = tuner::format_of(problem.output);
  const double u = unit(part_of_sum(problem));
  const bool is_normalised = problem.accuracy == Accuracy::double_double;
  const double of_items = problem.accuracy == Accuracy::kahan ? 2 * u : 0;
  const double of_terms = (is_normalised ? 4 * depth : depth * depth) * u * u;
  const double least = std::ldexp(1.0, output.least_exponent - output.digits);
  return 1.001 * ((u + unit(problem.output)) * std::abs(exact) + (of_items + of_terms) * magnitudes) + least;
}

std::vector<double> sums_of(runtime::Device& device, const Plan& plan, const std::vector<std::byte>& items,
                            std::uint64_t n, const Scalar& initial) {
  const Problem& problem = plan.problem();
  const std::uint64_t results = output_items(problem, n), bytes = results * size_of(problem.output);
  constexpr std::size_t guard = 64;
  constexpr std::uint8_t poison = 0x5a;
  const runtime::Buffer in(device, items.size() + 16), out(device, bytes + guard);
  device.copy_to_device(in.data(), items.data(), n * size_of(problem.input), nullptr);
  device.fill(out.data(), poison, bytes + guard, nullptr);
  Arguments arguments = Arguments(n).array("in", static_cast<const void*>(in.data())).array("out", out.data());
  if (!scalars(problem).empty()) arguments.scalar("initial", initial);
  plan.run(arguments);
  std::vector<std::byte> got(bytes + guard);
  device.copy_to_host(got.data(), out.data(), got.size(), nullptr);
  const auto is_kept = [](std::byte byte) { return byte == std::byte{poison}; };
  if (!std::all_of(got.end() - guard, got.end(), is_kept)) return {};
  return numbers_of(problem.output, got, results);
}

std::optional<std::string> sum_and_compare(runtime::Device& device, const Plan& plan, const Problem& problem,
                                           const std::vector<std::byte>& items, std::uint64_t n, double initial,
                                           double depth) {
  const bool starts = entry_of(problem).has_initial;
  const std::vector<double> got =
      in_order(problem, sums_of(device, plan, items, n, tuner::to_scalar(problem.accumulator, {.floating = initial})));
  if (got.size() != output_items(problem, n)) return "it wrote beyond the output";
  const std::vector<double> numbers = in_order(problem, numbers_of(problem.input, items, n));
  ExactSum exact;
  double magnitudes = 0;
  const auto add = [&](double value) {
    exact.add(value);
    magnitudes += std::abs(value);
  };
  const auto check = [&](std::uint64_t i) -> std::optional<std::string> {
    const double bound = error_bound(problem, exact.value(), magnitudes, depth);
    if (exact.distance(got[i]) <= bound) return std::nullopt;
    return fmt::format("result {} of {} items: {}, but the sum is {}, of magnitudes {}: the error is {}, above {}", i,
                       n, got[i], exact.value(), magnitudes, exact.distance(got[i]), bound);
  };
  if (starts) add(initial);
  const bool is_exclusive = starts && is_dense(problem);
  for (std::uint64_t i = 0; i < n; ++i) {
    if (!is_exclusive) add(numbers[i]);
    if (is_dense(problem)) {
      if (auto wrong = check(i)) return wrong;
    }
    if (is_exclusive) add(numbers[i]);
  }
  return is_dense(problem) ? std::nullopt : check(0);
}

}  // namespace upsweep::test
