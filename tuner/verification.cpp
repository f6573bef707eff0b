#include "tuner/verification.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "generator/algorithm.hpp"
#include "generator/value_type.hpp"
#include "tuner/data.hpp"

namespace upsweep::tuner {
namespace {

// Poisoned bytes before and after the output: more than any vector store is wide.
constexpr std::uint64_t guard_bytes = 256;

// A few tiles of the largest size, so that tiles meet tiles in every config, whatever size is tuned for.
constexpr std::uint64_t least_verified_items = std::uint64_t{1} << 17;

// The output with its guards, in whole 16-byte words.
std::uint64_t checked_bytes(std::uint64_t output_offset, std::uint64_t output_bytes) {
  return (output_offset + output_bytes + guard_bytes + 15) / 16 * 16;
}

std::uint64_t verified_items(const runtime::Device& device, std::uint64_t size) {
  return std::min(std::max(size, least_verified_items), most_verified_items(device.target()));
}

}  // namespace

std::uint64_t most_verified_items(Target target) noexcept {
  return std::uint64_t{1} << (target == Target::host ? 17 : 22);
}

std::vector<std::uint64_t> awkward_sizes(std::uint64_t tile_items, std::uint64_t size, std::uint64_t most) {
  std::vector<std::uint64_t> sizes{1, tile_items - 1, tile_items + 1, 3 * tile_items + 1, std::min(size, most)};
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  std::erase_if(sizes, [&](std::uint64_t n) { return n == 0 || n > most; });
  return sizes;
}

Verifier::Verifier(runtime::Device& device, runtime::Stream stream, const Problem& problem, std::uint64_t seed,
                   RunKernel sequential, Comparison comparison)
    : device_(device),
      stream_(stream),
      problem_(problem),
      comparison_(std::move(comparison)),
      data_(make_data(problem, verified_items(device, problem.size), seed)),
      initial_(make_initial(problem, seed)),
      input_(device, data_.size() + guard_bytes),
      odd_input_(device, data_.size() + guard_bytes),
      output_(device, output_bytes(problem, data_.size() / size_of(problem.input)) + 3 * guard_bytes),
      expected_(comparison_.compare ? runtime::Buffer(device, output_.bytes()) : runtime::Buffer()),
      results_(device, stream, problem, data_, initial_, input_.data(), std::move(sequential)),
      got_(output_.bytes()) {
  upload(place(0));
  upload(place(1));
}

std::vector<std::uint64_t> Verifier::sizes(std::uint64_t tile_items, std::uint64_t size) const {
  return awkward_sizes(tile_items, size, results_.items());
}

Verifier::Place Verifier::place(int turn) const {
  if (turn % 2 == 0) {
    return {.input = &input_, .input_offset = 0, .output_offset = guard_bytes, .poison = 0xa5};
  }
  return {.input = &odd_input_,
          .input_offset = size_of(problem_.input),
          .output_offset = guard_bytes + size_of(problem_.output),
          .poison = 0x5a};
}

void Verifier::upload(const Place& place) {
  device_.copy_to_device(static_cast<std::byte*>(place.input->data()) + place.input_offset, data_.data(), data_.size(),
                         stream_);
}

bool Verifier::mend(const Place& place) {
  Bytes held(data_.size());
  device_.copy_to_host(held.data(), static_cast<const std::byte*>(place.input->data()) + place.input_offset,
                       held.size(), stream_);
  if (held == data_) return false;
  upload(place);
  return true;
}

std::string Verifier::check(const RunKernel& run, std::uint64_t tile_items, std::uint64_t size) {
  // Before anything of it has run: what it does to the device is not to be taken for a failure of the reference.
  for (const std::uint64_t n : sizes(tile_items, size)) static_cast<void>(results_.of(n));
  const bool compared = comparison_.compare && !bits_may_differ_;
  if (compared && all_as_expected(run, tile_items, size)) return {};
  int turn = 0;
  bool mended = false;
  for (const std::uint64_t n : sizes(tile_items, size)) {
    const Place where = place(turn++);
    std::string wrong = check_size(run, n, where);
    if (!wrong.empty() && mend(where)) {
      mended = true;
      wrong = check_size(run, n, where);  // it may have been another's fault
      if (!wrong.empty()) static_cast<void>(mend(where));
    }
    if (!wrong.empty()) return wrong;
  }
  if (!compared || mended || results_.mend()) return {};
  // Zeros and NaNs of floating-point numbers, and padding, may differ in right results.
  if (is_integer(problem_.output) || all_as_expected(run, tile_items, size)) {
    return "the results were wrong in the first run and correct when the same calls were repeated";
  }
  bits_may_differ_ = true;
  return {};
}

void Verifier::call(const RunKernel& run, std::uint64_t n, const Place& place) {
  auto* all = static_cast<std::byte*>(output_.data());
  device_.fill(all, place.poison, checked_bytes(place.output_offset, output_bytes(problem_, n)), stream_);
  run(static_cast<const std::byte*>(place.input->data()) + place.input_offset, all + place.output_offset, n, initial_,
      stream_);
}

bool Verifier::all_as_expected(const RunKernel& run, std::uint64_t tile_items, std::uint64_t size) {
  comparison_.begin(stream_);
  int turn = 0;
  for (const std::uint64_t n : sizes(tile_items, size)) {
    const Place where = place(turn++);
    call(run, n, where);
    compare_on_device(n, where);
  }
  return comparison_.all_same(stream_);
}

std::string Verifier::check_size(const RunKernel& run, std::uint64_t n, const Place& place) {
  call(run, n, place);
  device_.synchronize(stream_);
  device_.copy_to_host(got_.data(), output_.data(), checked_bytes(place.output_offset, output_bytes(problem_, n)),
                       stream_);
  return compare(n, place);
}

void Verifier::compare_on_device(std::uint64_t n, const Place& place) {
  const std::uint64_t bytes = checked_bytes(place.output_offset, output_bytes(problem_, n));
  auto* all = static_cast<std::byte*>(expected_.data());
  device_.fill(all, place.poison, bytes, stream_);
  results_.put(all + place.output_offset, n);
  comparison_.compare(output_.data(), all, bytes, stream_);
}

std::string Verifier::compare(std::uint64_t n, const Place& place) {
  const std::uint64_t bytes = output_bytes(problem_, n);
  const std::span<const std::byte> before = std::span(got_).first(place.output_offset);
  const std::span<const std::byte> written = std::span(got_).subspan(place.output_offset, bytes);
  const std::span<const std::byte> after = std::span(got_).subspan(place.output_offset + bytes, guard_bytes);
  if (const auto mismatch = results_.compare(n, written)) {
    return fmt::format("{} ({} items)", to_string(*mismatch), n);
  }
  const auto touched = [&](std::byte byte) { return byte != std::byte{place.poison}; };
  if (std::any_of(before.begin(), before.end(), touched)) {
    return fmt::format("wrote before the start of the output ({} items)", n);
  }
  if (std::any_of(after.begin(), after.end(), touched)) {
    return fmt::format("wrote beyond the end of the output ({} items)", n);
  }
  return {};
}

}  // namespace upsweep::tuner
