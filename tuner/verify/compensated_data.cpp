#include "tuner/verify/compensated_data.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"

namespace upsweep::tuner {
namespace {

// The numbers that sums with an error term are tested with.
struct Scales {
  double unit = 1;
  double large = 1;  // adding units to a few of these rounds a plain sum
};

Scales scales_of(const Problem& problem) {
  constexpr int spare = 3;  // binary digits, for a few large ones together
  const int digits = format_of(part_of_sum(problem)).digits - 1;
  const std::array types{problem.input, problem.accumulator, problem.output};
  int highest = digits;
  for (const Type type : types) highest = std::min(highest, format_of(type).greatest_exponent - spare);
  int lowest = highest - digits;
  for (const Type type : types) {
    const FloatingFormat format = format_of(type);
    lowest = std::max(lowest, format.least_exponent - format.digits + 1);
  }
  return {std::ldexp(1.0, lowest), std::ldexp(1.0, highest)};
}

}  // namespace

Next compensated_sums(const Problem& problem, Random& random) {
  static constexpr std::string_view turns = "+++u+u--u--u";  // large items, and units that stay
  static constexpr double events = 8;                        // rarer and rarer: about 100 in many items
  static constexpr std::int64_t farthest = 31;
  const Scales scales = scales_of(problem);
  // Neighbours of a scan are added, and any items of a reduce: there, the others are zero.
  const bool walks = is_dense(problem);
  return [&random, scales, walks, turn = std::size_t{0}, at = std::int64_t{0}](std::uint64_t i) mutable {
    if (i == 0 || random.chance(std::min(1.0, events / static_cast<double>(i + 1)))) {
      const char kind = turns[turn++ % turns.size()];
      if (kind == 'u') return Number{.floating = scales.unit * static_cast<double>(2 * random.between(0, 3) + 1)};
      return Number{.floating = kind == '+' ? scales.large : -scales.large};
    }
    if (!walks) return Number{};
    const std::int64_t next = random.between(0, farthest), step = next - at;
    at = next;
    return Number{.floating = scales.unit * static_cast<double>(step)};
  };
}

double compensated_initial(const Problem& problem) {
  return 5 * scales_of(problem).unit;
}

}  // namespace upsweep::tuner
