#include "tuner/reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <upsweep/error.hpp>

namespace upsweep::tuner {
namespace {

// Bounds on the rounding that k operations may show; see the header.
double growth(std::uint64_t operations) {
  const auto k = static_cast<double>(operations);
  return std::min(k, 8 * std::sqrt(k));
}

// Follows a floating sum or product and says how much a device's result may differ from it.
class RoundingFold {
 public:
  explicit RoundingFold(const Problem& problem)
      : sum_(problem.op == Operator::plus),
        any_order_(problem.algorithm == Algorithm::reduce),
        accumulator_(format_of(problem.accumulator)),
        output_(format_of(problem.output)),
        value_(sum_ ? 0 : 1) {}

  void add(double item) {
    const long double wide = item;
    value_ = sum_ ? value_ + wide : value_ * wide;
    magnitude_ += std::fabs(item);
    track(sum_ ? item : exponent_of(item));
    finite_ = finite_ && std::isfinite(item);
    ++items_;
  }

  [[nodiscard]] double value() const { return static_cast<double>(value_); }

  [[nodiscard]] double tolerance() const {
    if (never_rounds() || !finite_) return 0;  // an infinity or a NaN stays one in any order
    const double scale = sum_ ? magnitude_ : std::fabs(value());
    const double result = std::ldexp(std::fabs(value()), -output_.digits);
    const double least = sum_ ? 0 : std::ldexp(1.0, accumulator_.least_exponent);
    return growth(items_) * std::ldexp(scale, -accumulator_.digits) + result + least;
  }

 private:
  // Sums of neighbours are differences of two sums from the start; so are the exponents of products.
  void track(double step) {
    if (step != std::trunc(step)) plain_ = false;  // also NaN
    at_ += step;
    low_ = std::min(low_, at_);
    high_ = std::max(high_, at_);
    steps_ += std::fabs(step);
  }

  // NaN if the item is no power of two.
  static double exponent_of(double item) {
    int exponent = 0;
    const double significand = std::frexp(item, &exponent);
    return std::fabs(significand) == 0.5 ? exponent - 1 : std::numeric_limits<double>::quiet_NaN();
  }

  [[nodiscard]] bool never_rounds() const {
    const double widest = any_order_ ? steps_ : high_ - low_;
    const double limit = sum_ ? std::ldexp(1.0, accumulator_.digits) : -accumulator_.least_exponent;
    return plain_ && widest <= limit;
  }

  bool sum_;
  bool any_order_;
  FloatingFormat accumulator_;
  FloatingFormat output_;
  long double value_;
  double magnitude_ = 0;
  std::uint64_t items_ = 0;
  bool finite_ = true;
  bool plain_ = true;  // all integers (plus), all powers of two (multiplies)
  double at_ = 0, low_ = 0, high_ = 0, steps_ = 0;
};

bool close(double got, double expected, double tolerance, Type type) {
  if (got == expected) return true;
  if (std::isinf(got) != std::isinf(expected)) {
    // Whether it overflows is as uncertain as the value is.
    const double finite = std::isinf(got) ? expected : got, infinite = std::isinf(got) ? got : expected;
    const double greatest = std::ldexp(1.0, format_of(type).greatest_exponent);
    return std::signbit(finite) == std::signbit(infinite) && std::fabs(finite) + tolerance >= greatest;
  }
  return std::fabs(got - expected) <= tolerance;
}

}  // namespace

std::string to_string(const Mismatch& mismatch) {
  return fmt::format("wrong at index {}: expected {}, got {}", mismatch.index, mismatch.expected, mismatch.got);
}

Reference::Reference(const Problem& problem, std::span<const std::byte> in, const Scalar& initial)
    : problem_(problem), items_(in.size() / size_of(problem.input)) {
  validate(problem);
  if (has_initial() && initial.type != problem.accumulator) {
    throw UsageError(fmt::format("the reference needs an initial value of type {}, not {}", name(problem.accumulator),
                                 name(initial.type)));
  }
  values_.resize((items_ + (problem.algorithm == Algorithm::reduce ? 1 : 0)) * item_bytes());
  const Number start = load_number(problem.accumulator, initial.bytes.data());
  if (is_exact(problem.op, problem.accumulator)) {
    fold_exactly(in, start);
  } else {
    fold_with_tolerance(in, start);
  }
}

void Reference::fold_exactly(std::span<const std::byte> in, Number running) {
  const auto keep = [&](std::uint64_t entry) {
    store_number(problem_.output, convert(running, problem_.accumulator, problem_.output),
                 values_.data() + entry * item_bytes());
  };
  for (std::uint64_t i = 0; i < items_; ++i) {
    const Number stored = load_number(problem_.input, in.data() + i * size_of(problem_.input));
    const Number item = convert(stored, problem_.input, problem_.accumulator);
    if (has_initial()) keep(i);
    running = !has_initial() && i == 0 ? item : combine(problem_.op, problem_.accumulator, running, item);
    if (!has_initial()) keep(i);
  }
  if (problem_.algorithm == Algorithm::reduce) keep(items_);
}

void Reference::fold_with_tolerance(std::span<const std::byte> in, Number initial) {
  RoundingFold fold(problem_);
  tolerance_.resize(values_.size() / item_bytes());
  const auto keep = [&](std::uint64_t entry) {
    store_number(problem_.output, convert({.floating = fold.value()}, Type::f64, problem_.output),
                 values_.data() + entry * item_bytes());
    tolerance_[entry] = fold.tolerance();
  };
  if (has_initial()) fold.add(initial.floating);
  for (std::uint64_t i = 0; i < items_; ++i) {
    const Number stored = load_number(problem_.input, in.data() + i * size_of(problem_.input));
    if (has_initial()) keep(i);
    fold.add(convert(stored, problem_.input, problem_.accumulator).floating);
    if (!has_initial()) keep(i);
  }
  if (problem_.algorithm == Algorithm::reduce) keep(items_);
}

std::span<const std::byte> Reference::output(std::uint64_t n) const {
  if (n > items_) throw UsageError(fmt::format("the reference holds {} items, not {}", items_, n));
  const std::span<const std::byte> all(values_);
  if (problem_.algorithm == Algorithm::reduce) return all.subspan(n * item_bytes(), item_bytes());
  return all.first(n * item_bytes());
}

bool Reference::agrees(std::uint64_t entry, const std::byte* got) const {
  const std::byte* expected = values_.data() + entry * item_bytes();
  if (std::memcmp(got, expected, item_bytes()) == 0) return true;
  if (!is_floating(problem_.output)) return false;
  const double want = load_number(problem_.output, expected).floating;
  const double have = load_number(problem_.output, got).floating;
  if (std::isnan(want) || std::isnan(have)) return std::isnan(want) && std::isnan(have);
  return !tolerance_.empty() && close(have, want, tolerance_[entry], problem_.output);
}

std::optional<Mismatch> Reference::compare(std::uint64_t n, std::span<const std::byte> got) const {
  const std::span<const std::byte> expected = output(n);
  if (got.size() < expected.size()) {
    throw UsageError(
        fmt::format("an output of {} bytes was to be compared, {} are needed", got.size(), expected.size()));
  }
  if (std::memcmp(got.data(), expected.data(), expected.size()) == 0) return std::nullopt;
  const std::uint64_t first = problem_.algorithm == Algorithm::reduce ? n : 0;
  for (std::uint64_t i = 0; i < expected.size() / item_bytes(); ++i) {
    const std::byte* item = got.data() + i * item_bytes();
    if (agrees(first + i, item)) continue;
    const Number want = load_number(problem_.output, expected.data() + i * item_bytes());
    const Number have = load_number(problem_.output, item);
    return Mismatch{i, upsweep::to_string(to_scalar(problem_.output, want)),
                    upsweep::to_string(to_scalar(problem_.output, have))};
  }
  return std::nullopt;
}

}  // namespace upsweep::tuner
