#include "tests/support/rounding_fold.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "generator/algorithm.hpp"

namespace upsweep::test {
namespace {

using tuner::format_of;

// Bounds on the rounding that k operations may show; see Reference.
double growth(std::uint64_t operations) {
  const auto k = static_cast<double>(operations);
  return std::min(k, 8 * std::sqrt(k));
}

// NaN if the item is no power of two on one of the axes.
double exponent_of(Number item) {
  const double part = item.imaginary == 0 ? item.floating : item.imaginary;
  int exponent = 0;
  const double significand = std::frexp(part, &exponent);
  const bool on_axis = item.floating == 0 || item.imaginary == 0;
  return on_axis && std::fabs(significand) == 0.5 ? exponent - 1 : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

void Walk::add(double step) {
  if (step != std::trunc(step)) integers_ = false;  // also NaN
  at_ += step;
  low_ = std::min(low_, at_);
  high_ = std::max(high_, at_);
  length_ += std::fabs(step);
}

// Sums of neighbours are differences of two sums from the start.
bool Walk::stays_within(double limit, bool any_order) const {
  return integers_ && (any_order ? length_ : high_ - low_) <= limit;
}

SumFold::SumFold(const Problem& problem)
    : any_order_(!is_dense(problem)),
      accumulator_(format_of(problem.accumulator)),
      output_(format_of(problem.output)) {}

void SumFold::add(double item) {
  value_ += static_cast<long double>(item);
  magnitude_ += std::fabs(item);
  walk_.add(item);
  finite_ = finite_ && std::isfinite(item);
  ++items_;
}

double SumFold::tolerance() const {
  // An infinity or a NaN stays one in any order.
  if (!finite_ || walk_.stays_within(std::ldexp(1.0, accumulator_.digits), any_order_)) return 0;
  return growth(items_) * std::ldexp(magnitude_, -accumulator_.digits) +
         std::ldexp(std::fabs(value()), -output_.digits);
}

ProductFold::ProductFold(const Problem& problem)
    : complex_(is_complex(problem.accumulator)),
      any_order_(!is_dense(problem)),
      accumulator_(format_of(problem.accumulator)),
      output_(format_of(problem.output)) {}

void ProductFold::add(Number item) {
  const long double real = item.floating, imaginary = item.imaginary, before = real_;
  real_ *= real;
  if (complex_) {
    real_ -= imaginary_ * imaginary;
    imaginary_ = before * imaginary + imaginary_ * real;
  }
  exponents_.add(exponent_of(item));
  finite_ = finite_ && std::isfinite(item.floating) && std::isfinite(item.imaginary);
  ++items_;
}

Number ProductFold::value() const {
  return {.floating = static_cast<double>(real_), .imaginary = static_cast<double>(imaginary_)};
}

double ProductFold::tolerance() const {
  // Of real factors an infinity or a NaN stays one in any order; what parts of a complex one it reaches depends on it.
  if (!finite_) return complex_ ? std::numeric_limits<double>::infinity() : 0;
  if (exponents_.stays_within(-accumulator_.least_exponent, any_order_)) return 0;
  const double size = std::hypot(value().floating, value().imaginary);
  const double unit = complex_ ? std::sqrt(5.0) : 1;
  return unit * growth(items_) * std::ldexp(size, -accumulator_.digits) + std::ldexp(size, -output_.digits) +
         std::ldexp(1.0, accumulator_.least_exponent);
}

RoundingFold::RoundingFold(const Problem& problem)
    : sum_(problem.op == Operator::plus), real_(problem), imaginary_(problem), product_(problem) {}

void RoundingFold::add(Number item) {
  if (!sum_) return product_.add(item);
  real_.add(item.floating);
  imaginary_.add(item.imaginary);
}

Number RoundingFold::value() const {
  if (!sum_) return product_.value();
  return {.floating = real_.value(), .imaginary = imaginary_.value()};
}

Number RoundingFold::tolerance() const {
  if (!sum_) return {.floating = product_.tolerance(), .imaginary = product_.tolerance()};
  return {.floating = real_.tolerance(), .imaginary = imaginary_.tolerance()};
}

}  // namespace upsweep::test
