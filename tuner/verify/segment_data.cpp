#include "tuner/verify/segment_data.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>

#include "generator/algorithm.hpp"
#include "generator/shape.hpp"
#include "generator/value_type.hpp"
#include "tuner/verify/data.hpp"
#include "tuner/verify/test_items.hpp"

namespace upsweep::tuner {
namespace {

constexpr std::size_t group = 16;

// Lengths of a group of segments, the longest first, so that no segment begins before its multiple of the mean.
std::array<std::uint64_t, group> lengths_of_group(Random& random, std::uint64_t mean) {
  std::array<std::uint64_t, group> weights{};
  const bool is_one_long = random.chance(1.0 / 256);
  for (std::size_t i = 0; i < group && !is_one_long; ++i) {
    weights[i] = random.chance(0.25) ? 0 : static_cast<std::uint64_t>(random.between(1, 1000));
  }
  std::sort(weights.begin(), weights.end(), std::greater<>());
  const std::uint64_t all = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  std::array<std::uint64_t, group> lengths{};
  std::uint64_t given = 0;
  for (std::size_t i = 0; i < group && all > 0; ++i) {
    lengths[i] = static_cast<std::uint64_t>(static_cast<double>(weights[i]) / static_cast<double>(all) *
                                            static_cast<double>(group * mean));
    given += lengths[i];
  }
  lengths[0] += group * mean - std::min(given, group * mean);
  return lengths;
}

}  // namespace

Bytes make_offsets(const Problem& problem, const Port& port, std::uint64_t n, std::uint64_t seed) {
  const std::uint64_t count = rows_of(problem, n) + 1, size = size_of(port.type);
  const std::uint64_t mean = std::clamp<std::uint64_t>(problem.row_length, 1, std::max<std::uint64_t>(n, 1));
  const std::uint64_t most = size == 4 ? std::min<std::uint64_t>(n, std::numeric_limits<std::uint32_t>::max()) : n;
  Bytes bytes(count * size);
  Random random(seed);
  std::array<std::uint64_t, group> lengths{};
  std::uint64_t offset = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t stored = std::min(offset, most);
    std::memcpy(bytes.data() + i * size, &stored, size);  // little-endian
    if (i % group == 0) lengths = lengths_of_group(random, mean);
    offset += lengths[i % group];
  }
  return bytes;
}

std::vector<Bytes> make_patterns(const Problem& problem, std::uint64_t items, std::uint64_t seed) {
  std::vector<Bytes> patterns = make_call_data(problem, items, seed).inputs;
  std::size_t input = 0;
  for (const Port& port : ports(problem)) {
    if (port.direction != Direction::in) continue;
    if (port.extent == Extent::offsets) patterns[input] = make_offsets(problem, port, problem.size, seed);
    ++input;
  }
  return patterns;
}

}  // namespace upsweep::tuner
