// Sums up many comparisons: geometric means, and the worst cells.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "bench/cell.hpp"

namespace upsweep::bench {

// How many times as long as upsweep's chosen config the contestant took; nothing if it did not take part.
[[nodiscard]] std::optional<double> ratio(const Cell& cell, Who who);

// The root of the product; 1 of none.
[[nodiscard]] double geometric_mean(std::span<const double> factors);

// upsweep beside the peer, over the cells in which both took part.
struct Standing {
  int cells = 0;
  double geometric_mean = 1;  // of the peer's time over upsweep's
  int below_one = 0;          // cells in which upsweep was slower
  double worst = 0;           // least of the ratios
  Problem worst_problem;
};

struct Summary {
  Mode mode;
  std::optional<Standing> scans;
  std::optional<Standing> reduces;
  std::optional<Standing> compact;      // results for some items: selections and reductions by key
  std::optional<Standing> differences;  // items that do not combine
};

// One for each mode that occurs, in the order of the modes.
[[nodiscard]] std::vector<Summary> summarize(std::span<const Cell> cells);

}  // namespace upsweep::bench
