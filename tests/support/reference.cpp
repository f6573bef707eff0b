#include "tests/support/reference.hpp"

#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "tests/support/rounding_fold.hpp"

namespace upsweep::test {
namespace {

using tuner::format_of;
using tuner::load_number;
using tuner::store_number;

bool same(double got, double expected) {
  return got == expected && std::signbit(got) == std::signbit(expected);
}

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

Reference::Reference(const Problem& problem, std::span<const std::byte> in, const Scalar& initial)
    : problem_(problem), items_(in.size() / size_of(problem.input)) {
  validate(problem);
  if (has_initial() && initial.type != problem.accumulator) {
    throw UsageError(fmt::format("the reference needs an initial value of type {}, not {}", name(problem.accumulator),
                                 name(initial.type)));
  }
  values_.resize((items_ + (is_dense(problem) ? 0 : 1)) * item_bytes());
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
  if (!is_dense(problem_)) keep(items_);
}

void Reference::fold_with_tolerance(std::span<const std::byte> in, Number initial) {
  RoundingFold fold(problem_);
  tolerance_.resize(values_.size() / item_bytes() * parts());
  const Type wide = is_complex(problem_.accumulator) ? Type::c128 : Type::f64;
  const auto keep = [&](std::uint64_t entry) {
    store_number(problem_.output, convert(fold.value(), wide, problem_.output), values_.data() + entry * item_bytes());
    const Number tolerance = fold.tolerance();
    tolerance_[entry * parts()] = tolerance.floating;
    if (parts() > 1) tolerance_[entry * parts() + 1] = tolerance.imaginary;
  };
  if (has_initial()) fold.add(initial);
  for (std::uint64_t i = 0; i < items_; ++i) {
    const Number stored = load_number(problem_.input, in.data() + i * size_of(problem_.input));
    if (has_initial()) keep(i);
    fold.add(convert(stored, problem_.input, problem_.accumulator));
    if (!has_initial()) keep(i);
  }
  if (!is_dense(problem_)) keep(items_);
}

std::span<const std::byte> Reference::output(std::uint64_t n) const {
  if (n > items_) throw UsageError(fmt::format("the reference holds {} items, not {}", items_, n));
  const std::span<const std::byte> all(values_);
  if (!is_dense(problem_)) return all.subspan(n * item_bytes(), item_bytes());
  return all.first(n * item_bytes());
}

bool Reference::agrees(std::uint64_t entry, const std::byte* got) const {
  const std::byte* expected = values_.data() + entry * item_bytes();
  if (std::memcmp(got, expected, item_bytes()) == 0) return true;
  if (!is_floating(problem_.output)) return false;
  const Number want = load_number(problem_.output, expected), have = load_number(problem_.output, got);
  return part_agrees(entry, 0, want.floating, have.floating) &&
         (parts() == 1 || part_agrees(entry, 1, want.imaginary, have.imaginary));
}

bool Reference::part_agrees(std::uint64_t entry, std::size_t part, double want, double have) const {
  const double tolerance = tolerance_.empty() ? 0 : tolerance_[entry * parts() + part];
  if (std::isinf(tolerance)) return true;
  if (std::isnan(want) || std::isnan(have)) return std::isnan(want) && std::isnan(have);
  return tolerance_.empty() ? same(have, want) : close(have, want, tolerance, problem_.output);
}

std::optional<Mismatch> Reference::compare(std::uint64_t n, std::span<const std::byte> got) const {
  const std::span<const std::byte> expected = output(n);
  if (got.size() < expected.size()) {
    throw UsageError(
        fmt::format("cannot compare an output of {} bytes: {} bytes are needed", got.size(), expected.size()));
  }
  if (std::memcmp(got.data(), expected.data(), expected.size()) == 0) return std::nullopt;
  const std::uint64_t first = is_dense(problem_) ? 0 : n;
  for (std::uint64_t i = 0; i < expected.size() / item_bytes(); ++i) {
    const std::byte* item = got.data() + i * item_bytes();
    if (agrees(first + i, item)) continue;
    const Number want = load_number(problem_.output, expected.data() + i * item_bytes());
    const Number have = load_number(problem_.output, item);
    return Mismatch{i, upsweep::to_string(tuner::to_scalar(problem_.output, want)),
                    upsweep::to_string(tuner::to_scalar(problem_.output, have))};
  }
  return std::nullopt;
}

}  // namespace upsweep::test
