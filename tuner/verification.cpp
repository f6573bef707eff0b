#include "tuner/verification.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tuner/data.hpp"

namespace upsweep::tuner {
namespace {

// Poisoned bytes before and after the output: more than any vector store is wide.
constexpr std::uint64_t guard_bytes = 256;

// A few tiles of the largest size, so that tiles meet tiles in every config, whatever size is tuned for.
constexpr std::uint64_t least_verified_items = std::uint64_t{1} << 17;

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

Verifier::Verifier(runtime::Device& device, runtime::Stream stream, const Problem& problem, std::uint64_t seed)
    : device_(device),
      stream_(stream),
      problem_(problem),
      data_(make_data(problem, verified_items(device, problem.size), seed)),
      initial_(problem.algorithm == Algorithm::inclusive_scan ? identity(problem.op, problem.accumulator)
                                                              : make_initial(problem, seed)),
      reference_(problem, data_, initial_),
      input_(device, data_.size() + guard_bytes),
      output_(device, reference_.items() * size_of(problem.output) + 3 * guard_bytes) {}

std::vector<std::uint64_t> Verifier::sizes(std::uint64_t tile_items) const {
  return awkward_sizes(tile_items, problem_.size, reference_.items());
}

std::string Verifier::check(const Run& run, std::uint64_t tile_items) {
  int turn = 0;
  for (const std::uint64_t n : sizes(tile_items)) {
    if (std::string wrong = check_size(run, n, turn++); !wrong.empty()) return wrong;
  }
  return {};
}

std::string Verifier::check_size(const Run& run, std::uint64_t n, int turn) {
  // Every other call, pointers are aligned for their types and no better, and another byte stands for "not written".
  const bool odd = turn % 2 == 1;
  const auto poison = static_cast<std::uint8_t>(odd ? 0x5a : 0xa5);
  auto* in = static_cast<std::byte*>(input_.data()) + (odd ? size_of(problem_.input) : 0);
  auto* all = static_cast<std::byte*>(output_.data());
  const std::uint64_t before = guard_bytes + (odd ? size_of(problem_.output) : 0);
  const std::uint64_t bytes = reference_.output(n).size();

  device_.copy_to_device(in, data_.data(), n * size_of(problem_.input), stream_);
  device_.fill(all, poison, before + bytes + guard_bytes, stream_);
  run(in, all + before, n, initial_, stream_);
  device_.synchronize(stream_);
  Bytes got(before + bytes + guard_bytes);
  device_.copy_to_host(got.data(), all, got.size(), stream_);

  const std::span<const std::byte> written = std::span(got).subspan(before, bytes);
  if (const auto mismatch = reference_.compare(n, written)) {
    return fmt::format("{} ({} items)", to_string(*mismatch), n);
  }
  const auto touched = [&](std::byte byte) { return byte != std::byte{poison}; };
  const auto begin = got.begin(), out = begin + static_cast<std::ptrdiff_t>(before);
  if (std::any_of(begin, out, touched)) return fmt::format("wrote before the start of the output ({} items)", n);
  if (std::any_of(out + static_cast<std::ptrdiff_t>(bytes), got.end(), touched)) {
    return fmt::format("wrote beyond the end of the output ({} items)", n);
  }
  return {};
}

}  // namespace upsweep::tuner
