#include "tuner/verify/segment_data.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
#include "generator/bytes.hpp"
#include "generator/names.hpp"
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

// Stores one offset behind another.
class Offsets {
 public:
  Offsets(std::uint64_t count, std::size_t size, std::uint64_t n)
      : size_(size),
        most_(size == 4 ? std::min<std::uint64_t>(n, std::numeric_limits<std::uint32_t>::max()) : n),
        bytes_(count * size) {}
  void add(std::uint64_t offset) {
    const std::uint64_t stored = std::min(offset, most_);
    std::memcpy(bytes_.data() + stored_++ * size_, &stored, size_);  // little-endian
  }
  [[nodiscard]] Bytes take() { return std::move(bytes_); }

 private:
  std::size_t size_;
  std::uint64_t most_;
  Bytes bytes_;
  std::size_t stored_ = 0;
};

void add_mixed(Offsets& offsets, std::uint64_t segments, std::uint64_t mean, std::uint64_t seed) {
  Random random(seed);
  std::array<std::uint64_t, group> lengths{};
  std::uint64_t offset = 0;
  for (std::uint64_t i = 0; i <= segments; ++i) {
    offsets.add(offset);
    if (i % group == 0) lengths = lengths_of_group(random, mean);
    offset += lengths[i % group];
  }
}

// The same from an item above 0 on, where half of the segments are empty and follow one that has as many items as all
// of these would have.
void add_awkward(Offsets& offsets, std::uint64_t segments, std::uint64_t mean, std::uint64_t seed) {
  Random random(seed);
  std::array<std::uint64_t, group> lengths{};
  const std::uint64_t crowd = segments / 4 / group * group, behind = crowd + segments / 2 / group * group;
  auto offset = static_cast<std::uint64_t>(random.between(1, 7));
  for (std::uint64_t i = 0; i <= segments; ++i) {
    offsets.add(offset);
    if (i % group == 0) lengths = lengths_of_group(random, mean);
    if (i < crowd || i >= behind) offset += lengths[i % group];
    if (i == crowd) offset += (behind - crowd) * mean;
  }
}

// n items in segments whose lengths are as weights that are drawn by chance.
template <typename Draw>
void add_drawn(Offsets& offsets, std::uint64_t segments, std::uint64_t n, std::uint64_t seed, const Draw& draw) {
  double all = 0;
  Random first(seed);
  for (std::uint64_t i = 0; i < segments; ++i) all += draw(first);
  Random random(seed);
  double before = 0;
  for (std::uint64_t i = 0; i < segments; ++i) {
    offsets.add(static_cast<std::uint64_t>(before / all * static_cast<double>(n)));
    before += draw(random);
  }
  offsets.add(n);
}

// Segments in three parts: the middle one has as many segments, and the others have the rest of n items in equal ones.
void add_around(Offsets& offsets, std::uint64_t segments, std::uint64_t n, std::uint64_t middle,
                std::uint64_t middle_items) {
  const std::uint64_t others = segments - middle, before = others / 2;
  const auto share = [](std::uint64_t items, std::uint64_t i, std::uint64_t of) {  // the product may exceed 64 bits
    return of == 0 ? 0
                   : static_cast<std::uint64_t>(static_cast<double>(items) * static_cast<double>(i) /
                                                static_cast<double>(of));
  };
  const auto offset_of = [&](std::uint64_t i) { return share(n - middle_items, i, others); };
  for (std::uint64_t i = 0; i < before; ++i) offsets.add(offset_of(i));
  for (std::uint64_t i = 0; i < middle; ++i) offsets.add(offset_of(before) + share(middle_items, i, middle));
  for (std::uint64_t i = before; i < others; ++i) offsets.add(offset_of(i) + middle_items);
  offsets.add(n);
}

constexpr std::array distributions{LengthDistribution::mixed,     LengthDistribution::awkward,
                                   LengthDistribution::equal,     LengthDistribution::uniform,
                                   LengthDistribution::power_law, LengthDistribution::one_giant,
                                   LengthDistribution::empty_half};
constexpr std::array<std::string_view, distributions.size()> distribution_names{
    "mixed", "awkward", "equal", "uniform", "power_law", "one_giant", "empty_half"};

}  // namespace

std::string_view name(LengthDistribution distribution) noexcept {
  return distribution_names[static_cast<std::size_t>(distribution)];
}

LengthDistribution parse_length_distribution(std::string_view text) {
  const auto* const at = std::find(distribution_names.begin(), distribution_names.end(), text);
  if (at == distribution_names.end()) {
    throw UsageError(unknown_name("distribution of lengths", text, as_names(distribution_names)));
  }
  return distributions[static_cast<std::size_t>(at - distribution_names.begin())];
}

std::span<const LengthDistribution> all_length_distributions() noexcept {
  return distributions;
}

Bytes make_offsets(const Problem& problem, const Port& port, std::uint64_t n, std::uint64_t seed,
                   LengthDistribution distribution) {
  const std::uint64_t segments = rows_of(problem, n);
  const std::uint64_t mean = std::clamp<std::uint64_t>(problem.row_length, 1, std::max<std::uint64_t>(n, 1));
  Offsets offsets(segments + 1, size_of(port.type), n);
  switch (distribution) {
    case LengthDistribution::mixed:
      add_mixed(offsets, segments, mean, seed);
      break;
    case LengthDistribution::awkward:
      add_awkward(offsets, segments, mean, seed);
      break;
    case LengthDistribution::equal:
      for (std::uint64_t i = 0; i <= segments; ++i) offsets.add(i * mean);
      break;
    case LengthDistribution::uniform:
      add_drawn(offsets, segments, n, seed, [](Random& random) { return random.unit(); });
      break;
    case LengthDistribution::power_law:
      add_drawn(offsets, segments, n, seed, [](Random& random) { return 1 / (1 - random.unit()); });
      break;
    case LengthDistribution::one_giant:
      add_around(offsets, segments, n, std::min<std::uint64_t>(segments, 1), n / 3 * 2);
      break;
    case LengthDistribution::empty_half:
      add_around(offsets, segments, n, segments / 2, 0);
      break;
  }
  return offsets.take();
}

Bytes offsets_of_call(const Problem& problem, const Port& port, std::span<const std::byte> offsets, std::uint64_t n) {
  const std::size_t size = size_of(port.type);
  const auto read = offsets.first(bytes_of(port_items(problem, port, n), port.type));
  Bytes bytes(read.begin(), read.end());
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    std::uint64_t offset = 0;
    std::memcpy(&offset, bytes.data() + at, size);  // little-endian
    offset = std::min(offset, n);
    std::memcpy(bytes.data() + at, &offset, size);
  }
  return bytes;
}

std::vector<Bytes> make_patterns(const Problem& problem, std::uint64_t items, std::uint64_t seed,
                                 LengthDistribution distribution) {
  std::vector<Bytes> patterns = make_call_data(problem, items, seed).inputs;
  std::size_t input = 0;
  for (const Port& port : ports(problem)) {
    if (port.direction != Direction::in) continue;
    if (port.extent == Extent::offsets) {
      patterns[input] = make_offsets(problem, port, problem.size, seed, distribution);
    }
    ++input;
  }
  return patterns;
}

}  // namespace upsweep::tuner
