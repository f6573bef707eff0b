#include "tests/support/arithmetic.hpp"

#include <cmath>

#include <upsweep/scalar.hpp>

namespace upsweep::test {
namespace {

// Keeps the low bits that the integer type has.
std::int64_t wrap(Type type, std::int64_t value) {
  const int unused = 64 - 8 * static_cast<int>(size_of(type));
  const std::uint64_t high = static_cast<std::uint64_t>(value) << unused;
  return is_signed(type) ? static_cast<std::int64_t>(high) >> unused : static_cast<std::int64_t>(high >> unused);
}

double round_to(Type type, double value) {
  switch (part_of(type)) {
    case Type::f16:
      return static_cast<double>(static_cast<float>(f16(static_cast<float>(value))));
    case Type::bf16:
      return static_cast<double>(static_cast<float>(bf16(static_cast<float>(value))));
    case Type::f32:
      return static_cast<double>(static_cast<float>(value));
    default:
      return value;
  }
}

// Rounded once to f32, not first to double.
double floating_of(Type from, std::int64_t value, Type to) {
  const bool unsigned_bits = from == Type::u64;
  if (part_of(to) == Type::f64)
    return unsigned_bits ? static_cast<double>(static_cast<std::uint64_t>(value)) : static_cast<double>(value);
  const float narrow =
      unsigned_bits ? static_cast<float>(static_cast<std::uint64_t>(value)) : static_cast<float>(value);
  return round_to(to, static_cast<double>(narrow));
}

bool is_less(Type type, Number a, Number b) {
  if (is_floating(type)) {
    if (a.floating == 0 && b.floating == 0) return std::signbit(a.floating) && !std::signbit(b.floating);
    return a.floating < b.floating;
  }
  if (type == Type::u64) return static_cast<std::uint64_t>(a.integer) < static_cast<std::uint64_t>(b.integer);
  return a.integer < b.integer;
}

Number extreme(Type type, Number a, Number b, bool want_less) {
  if (std::isnan(a.floating)) return a;
  if (std::isnan(b.floating)) return b;
  return is_less(type, a, b) == want_less ? a : b;
}

std::uint64_t compose(Type type, std::uint64_t a, std::uint64_t b) {
  const int half = 4 * static_cast<int>(size_of(type));
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  const std::uint64_t slope = (a >> half) * (b >> half);
  const std::uint64_t offset = (b >> half) * (a & mask) + (b & mask);
  return slope << half | (offset & mask);
}

bool is_zero(Type type, Number value) {
  return is_floating(type) ? value.floating == 0 && value.imaginary == 0 : value.integer == 0;
}

}  // namespace

Number convert(Number value, Type from, Type to) {
  if (is_floating(from)) {
    return {.floating = round_to(to, value.floating), .imaginary = round_to(to, value.imaginary)};
  }
  if (is_floating(to)) return {.floating = floating_of(from, value.integer, to)};
  return {.integer = wrap(to, value.integer)};
}

bool is_exact(Operator op, Type type) noexcept {
  return !is_floating(type) || (op != Operator::plus && op != Operator::multiplies);
}

Number combine(Operator op, Type type, Number a, Number b) {
  const auto left = static_cast<std::uint64_t>(a.integer), right = static_cast<std::uint64_t>(b.integer);
  const auto wrapped = [&](std::uint64_t bits) {
    return Number{.integer = wrap(type, static_cast<std::int64_t>(bits))};
  };
  switch (op) {
    case Operator::plus:
      return wrapped(left + right);
    case Operator::multiplies:
      return wrapped(left * right);
    case Operator::minimum:
      return extreme(type, a, b, true);
    case Operator::maximum:
      return extreme(type, a, b, false);
    case Operator::bit_and:
      return wrapped(left & right);
    case Operator::bit_or:
      return wrapped(left | right);
    case Operator::bit_xor:
      return wrapped(left ^ right);
    case Operator::last_nonzero:
      return is_zero(type, b) ? a : b;
    case Operator::affine:
      return wrapped(compose(type, left, right));
    default:
      break;  // a predicate
  }
  return a;
}

}  // namespace upsweep::test
