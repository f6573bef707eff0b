#include "tuner/session/fitting_sizes.hpp"

#include <algorithm>

#include "tuner/verify/verification.hpp"

namespace upsweep::tuner {
namespace {

constexpr double least_calls = 8;

}  // namespace

double seconds_needed(std::uint64_t size, double us_per_item) {
  const auto verified = static_cast<double>(std::min(size, most_verified_items(Target::host)));
  return us_per_item * 1e-6 * (least_calls * static_cast<double>(size) + verified);
}

FittingSizes fitting_sizes(std::span<const std::uint64_t> sizes, double us_per_item, double seconds) {
  FittingSizes found{.fit = {sizes.begin(), sizes.end()}, .too_large = {}};
  while (!found.fit.empty()) {
    const auto largest = std::max_element(found.fit.begin(), found.fit.end());
    if (seconds_needed(*largest, us_per_item) * static_cast<double>(found.fit.size()) <= seconds) break;
    found.fit.erase(largest);
  }
  for (const std::uint64_t size : sizes) {
    if (std::find(found.fit.begin(), found.fit.end(), size) == found.fit.end()) found.too_large.push_back(size);
  }
  const auto count = static_cast<double>(sizes.size());
  for (std::uint64_t size = 1; size != 0; size *= 2) {
    if (seconds_needed(size, us_per_item) * count > seconds) break;
    found.largest = size;
  }
  if (!sizes.empty())
    found.all_seconds = count * seconds_needed(*std::max_element(sizes.begin(), sizes.end()), us_per_item);
  return found;
}

}  // namespace upsweep::tuner
