// Charts and tables from what was measured: no device is needed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/cell.hpp"
#include "figures/figure.hpp"
#include "generator/networks.hpp"
#include "report/facts.hpp"

namespace upsweep::figures {

// "2^20 items" as a mark at so many items.
[[nodiscard]] report::Mark mark_at(std::uint64_t size, double y, const std::string& note);

// Billions of items per second.
[[nodiscard]] double rate(std::uint64_t items, double us);

// Throughput of memcpy, upsweep, the peer and the configs of the cells.
[[nodiscard]] Drawing throughput_drawing(std::span<const bench::Cell> cells);

// Times of scans and of reduces against the length of rows, beside the peer, memory alone, and the other library's.
[[nodiscard]] Drawing rows_drawing(std::span<const bench::Cell> cells, const std::optional<OtherTimes>& other = {});

// What is to be said of these times where another device draws the figure, or the same.
[[nodiscard]] std::vector<std::string> notes_of_other_times(const OtherTimes& other, const std::string& device);

// A step of the ladder and what it gains.
struct LadderStep {
  std::string name;
  double us = 0;
  double gigabytes_per_second = 0;
  double step_speedup = 1;        // the time of the step before divided by its own
  double cumulative_speedup = 1;  // the time of the first step divided by its own
};
// Of the configs that were timed, in their order.
[[nodiscard]] std::vector<LadderStep> ladder_steps(const bench::Cell& cell);
// Times against size, and the table for the cell of `size` items where there is one.
[[nodiscard]] Drawing ladder_drawing(std::span<const bench::Cell> cells, std::uint64_t size);

// Nanoseconds per tile against the parameter lookback_window, a line for each value of the parameter descriptor.
[[nodiscard]] Drawing window_drawing(const bench::Cell& cell);

// A network, and what a run of it on 16 places counted.
struct CountedNetwork {
  struct Counts {
    std::uint64_t depth = 0, size = 0;
  };
  const ScanNetwork* network = nullptr;
  std::optional<Counts> counted = {};  // none: it was not run
};
// Depth and size of the networks of a warp and of a block, against the number of values.
[[nodiscard]] Drawing networks_drawing(std::span<const CountedNetwork> networks);

// The time of the default divided by that of the winner, for each winner that has both.
[[nodiscard]] Drawing portability_drawing(std::span<const report::WinnerRow> rows);

}  // namespace upsweep::figures
