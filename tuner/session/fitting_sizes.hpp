// Which sizes a device can be tuned for within a time budget, and what the tune says where the budget is too short.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <upsweep/error.hpp>

namespace upsweep::tuner {

// What a size takes at least, of calls that take so long an item on the host device: checking the default config, and a
// few calls of it and of others.
[[nodiscard]] double seconds_needed(std::uint64_t size, double us_per_item);

struct FittingSizes {
  std::vector<std::uint64_t> fit;        // in the order given
  std::vector<std::uint64_t> too_large;  // likewise
  std::uint64_t largest = 0;             // power of two that fits in one of the sizes' share of the time; 0: none does
  double all_seconds = 0;                // for all of the sizes, each as long as the largest needs
};

// The sizes share `seconds` equally. The largest are left out until what the others need fits in their shares.
[[nodiscard]] FittingSizes fitting_sizes(std::span<const std::uint64_t> sizes, double us_per_item, double seconds);

// Why sizes are too large for a budget, and what would fit: "with 2^20 items cannot be tuned in 2 s on host: ...".
// `spent`: seconds of the budget.
[[nodiscard]] std::string too_slow(const FittingSizes& found, double us_per_item, const std::string& device,
                                   double budget, double spent);

// Rounded up, but for what is less than ten seconds: "1.5 s", "20 min".
[[nodiscard]] std::string duration_text(double seconds);

// Nothing could be measured within the budget; the message says what to change.
struct OutOfTime : UsageError {
  using UsageError::UsageError;
};

}  // namespace upsweep::tuner
