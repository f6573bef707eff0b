#include "tuner/verify/expected_results.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/cancellation.hpp"
#include "generator/algorithm.hpp"
#include "generator/bytes.hpp"
#include "tuner/verify/segment_data.hpp"

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

// Whether two values of the type are the same but for padding.
bool agree(std::span<const Field> fields, std::size_t bytes, const std::byte* expected, const std::byte* got) {
  if (std::memcmp(expected, got, bytes) == 0) return true;
  return std::all_of(fields.begin(), fields.end(),
                     [&](const Field& field) { return same(field.type, expected + field.offset, got + field.offset); });
}

std::string text(Type type, const std::byte* value) {
  Scalar scalar;
  scalar.type = type;
  std::memcpy(scalar.bytes.data(), value, size_of(type));
  return upsweep::to_string(scalar);
}

// The item that the first segment begins with; 0 if the problem has no segments.
std::uint64_t first_offset(const Problem& problem, const CallData& data) {
  std::size_t input = 0;
  for (const Port& port : ports(problem)) {
    if (port.direction == Direction::out) continue;
    const Bytes& array = data.inputs.at(input++);
    if (port.extent != Extent::offsets || array.empty()) continue;
    return static_cast<std::uint64_t>(load_number(port.type, array.data()).integer);
  }
  return 0;
}

}  // namespace

std::string to_string(const Mismatch& mismatch) {
  return fmt::format("{}{}wrong at index {}: expected {}, got {}", mismatch.port, mismatch.port.empty() ? "" : ": ",
                     mismatch.index, mismatch.expected, mismatch.got);
}

ExpectedResults::ExpectedResults(runtime::Device& device, runtime::Stream stream, const Problem& problem,
                                 const CallData& data, std::vector<void*> inputs, RunKernel sequential)
    : device_(device),
      stream_(stream),
      problem_(problem),
      outputs_(outputs_of(problem)),
      is_dense_(
          !is_backward(problem) && problem.shape != Shape::axis &&
          std::all_of(outputs_.begin(), outputs_.end(), [](const Port& port) { return port.extent == Extent::n; })),
      data_(data),
      inputs_(std::move(inputs)),
      sequential_(std::move(sequential)) {
  if (is_dense_) first_result_ = first_offset(problem, data);
  for (const Port& port : outputs_) {
    results_.emplace_back(device, std::max<std::uint64_t>(bytes_of(port_items(problem, port, items()), port.type), 1));
  }
}

const ExpectedResults::Known& ExpectedResults::known(std::uint64_t n) {
  if (n > items()) throw UsageError(fmt::format("results are known for {} items, not for {}", items(), n));
  const std::uint64_t run_items = is_dense_ ? items() : n;
  auto at = known_.find(run_items);
  if (at == known_.end()) at = known_.emplace(run_items, compute(run_items)).first;
  return at->second;
}

Results ExpectedResults::of(std::uint64_t n) {
  const Known& run = known(n);
  Results results;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const std::span<const std::byte> all(run.results[i]);
    const Type type = outputs_[i].type;
    const std::uint64_t begin = bytes_of(first_result(n), type);
    results.push_back(is_dense_ ? all.subspan(begin, bytes_of(n, type) - begin) : all);
  }
  return results;
}

// Those that receive a number of items come first.
ExpectedResults::Known ExpectedResults::compute(std::uint64_t n) {
  base::throw_if_cancelled();
  Known computed{.results = std::vector<Bytes>(outputs_.size())};
  try {
    run(n);
    for (const bool counted : {false, true}) {
      for (std::size_t i = 0; i < outputs_.size(); ++i) {
        if ((outputs_[i].extent == Extent::at_most_n) != counted) continue;
        computed.results[i] = fetch(i, kept_items(outputs_[i], computed.results, n));
      }
    }
  } catch (const Error& error) {
    throw ReferenceFailed(
        error.kind(),
        fmt::format("the results of {} on {} cannot be checked: the reference, which the schedule sequential computes "
                    "from {} items, failed: {}",
                    upsweep::to_string(problem_), device_.label(), n, error.what()));
  }
  for (std::size_t i = 0; i < outputs_.size() && !is_dense_; ++i) {
    computed.on_device.push_back(copy_of(i, computed.results[i]));
  }
  return computed;
}

void ExpectedResults::run(std::uint64_t n) {
  SlotArrays arrays{};
  std::size_t index = 0, input = 0, output = 0;
  for (const Port& port : ports(problem_)) {
    if (port.direction == Direction::out) {
      arrays.at(index++) = results_[output++].data();
      continue;
    }
    const Bytes& data = data_.inputs.at(input);
    const Bytes offsets = port.extent == Extent::offsets ? offsets_of_call(problem_, port, data, n) : Bytes();
    device_.copy_to_device(inputs_.at(input), offsets.empty() ? data.data() : offsets.data(),
                           bytes_of(port_items(problem_, port, n), port.type), stream_);
    arrays.at(index++) = inputs_[input++];
  }
  sequential_(call_of(problem_, arrays, n, data_.scalars), stream_);
}

Bytes ExpectedResults::fetch(std::size_t output, std::uint64_t items) {
  Bytes results(bytes_of(items, outputs_[output].type));
  device_.copy_to_host(results.data(), results_[output].data(), results.size(), stream_);
  return results;
}

// `results`: at least that of the count.
std::uint64_t ExpectedResults::kept_items(const Port& port, const std::vector<Bytes>& results, std::uint64_t n) const {
  if (port.extent != Extent::at_most_n) return port_items(problem_, port, n);
  const std::size_t count = count_of(outputs_, port);
  const auto kept = static_cast<std::uint64_t>(load_number(outputs_[count].type, results[count].data()).integer);
  if (kept > n) {
    throw Error(ErrorKind::internal, fmt::format("it keeps {} items of {} ({})", kept, n, port.name));
  }
  return kept;
}

// Few are not worth a block of memory, and none is made where memory is short.
runtime::Buffer ExpectedResults::copy_of(std::size_t output, const Bytes& results) {
  constexpr std::size_t few = 4096;
  if (results.size() <= few) return {};
  try {
    runtime::Buffer copy(device_, results.size());
    device_.copy_on_device(copy.data(), results_[output].data(), results.size(), stream_);
    return copy;
  } catch (const runtime::OutOfDeviceMemory&) {
    return {};
  }
}

std::optional<Mismatch> ExpectedResults::compare(std::size_t output, std::span<const std::byte> expected,
                                                 std::span<const std::byte> got) const {
  if (got.size() < expected.size()) {
    throw UsageError(
        fmt::format("cannot compare an output of {} bytes: {} bytes are needed", got.size(), expected.size()));
  }
  if (std::memcmp(got.data(), expected.data(), expected.size()) == 0) return std::nullopt;
  const Port& port = outputs_[output];
  const std::vector<Field> fields = fields_of(port.type);
  const std::size_t item = size_of(port.type);
  for (std::uint64_t i = 0; i < expected.size() / item; ++i) {
    const std::byte *const want = expected.data() + i * item, *const have = got.data() + i * item;
    if (agree(fields, item, want, have)) continue;
    return Mismatch{i, text(port.type, want), text(port.type, have), outputs_.size() == 1 ? "" : port.name};
  }
  return std::nullopt;
}

std::optional<Mismatch> ExpectedResults::compare(std::uint64_t n, const Results& got) {
  const Results expected = of(n);
  for (const bool counted : {false, true}) {
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      if ((outputs_[i].extent == Extent::at_most_n) != counted) continue;
      auto mismatch = compare(i, expected[i], got.at(i));
      if (!mismatch) continue;
      mismatch->index += first_result(n);
      return mismatch;
    }
  }
  return std::nullopt;
}

void ExpectedResults::put(std::size_t output, void* to, std::uint64_t n) {
  const std::span<const std::byte> results = of(n).at(output);
  const Known& run = known(n);
  const runtime::Buffer& source = is_dense_ ? results_[output] : run.on_device[output];
  if (source.data() != nullptr) {
    const auto* const first =
        static_cast<const std::byte*>(source.data()) + bytes_of(first_result(n), outputs_[output].type);
    device_.copy_on_device(to, first, results.size(), stream_);
  } else {
    device_.copy_to_device(to, results.data(), results.size(), stream_);
  }
}

bool ExpectedResults::mend() {
  bool damaged = false;
  for (const auto& [n, run] : known_) {
    const std::vector<runtime::Buffer>& copies = is_dense_ ? results_ : run.on_device;
    for (std::size_t i = 0; i < copies.size(); ++i) {
      if (copies[i].data() == nullptr) continue;
      Bytes held(run.results[i].size());
      device_.copy_to_host(held.data(), copies[i].data(), held.size(), stream_);
      if (held == run.results[i]) continue;
      device_.copy_to_device(copies[i].data(), run.results[i].data(), held.size(), stream_);
      damaged = true;
    }
  }
  return damaged;
}

}  // namespace upsweep::tuner
