#include "tuner/expected_results.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "generator/algorithm.hpp"
#include "runtime/cancellation.hpp"

namespace upsweep::tuner {
namespace {

bool same(Type type, const std::byte* expected, const std::byte* got) {
  if (std::memcmp(expected, got, size_of(type)) == 0) return true;
  if (!is_floating(type)) return false;
  const Number want = load_number(type, expected), have = load_number(type, got);
  const auto alike = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  if (is_complex(type)) return alike(want.floating, have.floating) && alike(want.imaginary, have.imaginary);
  return std::isnan(want.floating) && std::isnan(have.floating);
}

}  // namespace

std::string to_string(const Mismatch& mismatch) {
  return fmt::format("wrong at index {}: expected {}, got {}", mismatch.index, mismatch.expected, mismatch.got);
}

ExpectedResults::ExpectedResults(runtime::Device& device, runtime::Stream stream, const Problem& problem,
                                 std::span<const std::byte> data, const Scalar& initial, void* input,
                                 RunKernel sequential)
    : device_(device),
      stream_(stream),
      problem_(problem),
      fields_(fields_of(problem.output)),
      data_(data),
      initial_(initial),
      input_(input),
      sequential_(std::move(sequential)),
      items_(data.size() / size_of(problem.input)),
      results_(device, std::max<std::uint64_t>(output_bytes(problem, items_), 1)) {}

std::span<const std::byte> ExpectedResults::of(std::uint64_t n) {
  if (n > items_) throw UsageError(fmt::format("results are known for {} items, not for {}", items_, n));
  const std::uint64_t run_items = is_dense(problem_) ? items_ : n;
  auto at = known_.find(run_items);
  if (at == known_.end()) at = known_.emplace(run_items, compute(run_items)).first;
  return std::span<const std::byte>(at->second).first(output_bytes(problem_, n));
}

Bytes ExpectedResults::compute(std::uint64_t n) {
  runtime::throw_if_cancelled();
  Bytes results(output_bytes(problem_, n));
  try {
    device_.copy_to_device(input_, data_.data(), n * size_of(problem_.input), stream_);
    sequential_(input_, results_.data(), n, initial_, stream_);
    device_.copy_to_host(results.data(), results_.data(), results.size(), stream_);
  } catch (const Error& error) {
    throw ReferenceFailed(
        error.kind(),
        fmt::format("the results of {} on {} cannot be checked: the reference, which the schedule sequential computes "
                    "from {} items, failed: {}",
                    upsweep::to_string(problem_), device_.label(), n, error.what()));
  }
  return results;
}

std::string ExpectedResults::text(const std::byte* value) const {
  Scalar scalar;
  scalar.type = problem_.output;
  std::memcpy(scalar.bytes.data(), value, size_of(scalar.type));
  return upsweep::to_string(scalar);
}

bool ExpectedResults::agree(const std::byte* expected, const std::byte* got) const {
  if (std::memcmp(expected, got, size_of(problem_.output)) == 0) return true;
  return std::all_of(fields_.begin(), fields_.end(),
                     [&](const Field& field) { return same(field.type, expected + field.offset, got + field.offset); });
}

std::optional<Mismatch> ExpectedResults::compare(std::uint64_t n, std::span<const std::byte> got) {
  const std::span<const std::byte> expected = of(n);
  if (got.size() < expected.size()) {
    throw UsageError(
        fmt::format("cannot compare an output of {} bytes: {} bytes are needed", got.size(), expected.size()));
  }
  if (std::memcmp(got.data(), expected.data(), expected.size()) == 0) return std::nullopt;
  const std::size_t item = size_of(problem_.output);
  for (std::uint64_t i = 0; i < expected.size() / item; ++i) {
    const std::byte *const want = expected.data() + i * item, *const have = got.data() + i * item;
    if (!agree(want, have)) return Mismatch{i, text(want), text(have)};
  }
  return std::nullopt;
}

void ExpectedResults::put(void* to, std::uint64_t n) {
  const std::span<const std::byte> results = of(n);
  if (is_dense(problem_)) {
    device_.copy_on_device(to, results_.data(), results.size(), stream_);
  } else {
    device_.copy_to_device(to, results.data(), results.size(), stream_);
  }
}

bool ExpectedResults::mend() {
  const auto all = known_.find(items_);
  if (!is_dense(problem_) || all == known_.end()) return false;
  Bytes held(all->second.size());
  device_.copy_to_host(held.data(), results_.data(), held.size(), stream_);
  if (held == all->second) return false;
  device_.copy_to_device(results_.data(), all->second.data(), all->second.size(), stream_);
  return true;
}

}  // namespace upsweep::tuner
