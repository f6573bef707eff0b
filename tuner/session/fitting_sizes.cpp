#include "tuner/session/fitting_sizes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "tuner/verify/verification.hpp"

namespace upsweep::tuner {
namespace {

constexpr double least_calls = 8;

std::string size_text(std::uint64_t size) {
  return std::has_single_bit(size) ? fmt::format("2^{}", std::countr_zero(size)) : std::to_string(size);
}

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 10) return fmt::format("{:.2g} s", seconds);
  if (seconds <= 120) return fmt::format("{:.0f} s", std::ceil(seconds));
  return seconds <= 7200 ? fmt::format("{:.0f} min", std::ceil(seconds / 60))
                         : fmt::format("{:.0f} h", std::ceil(seconds / 3600));
}

std::string too_slow(const FittingSizes& found, double us_per_item, const std::string& device, double budget,
                     double spent) {
  std::string sizes;
  for (const std::uint64_t size : found.too_large) sizes += (sizes.empty() ? "" : ", ") + size_text(size);
  const std::uint64_t least = *std::min_element(found.too_large.begin(), found.too_large.end());
  const std::string fits =
      found.largest > 1 ? fmt::format("give sizes up to {} or ", size_text(found.largest)) : "give ";
  return fmt::format(
      "with {} items cannot be tuned in {} on {}: a call with {} items takes about {}; {}a budget of at least {}",
      sizes, duration_text(budget), device, size_text(least),
      duration_text(us_per_item * 1e-6 * static_cast<double>(least)), fits,
      duration_text(1.2 * (spent + found.all_seconds)));
}

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
