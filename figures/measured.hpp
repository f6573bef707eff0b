// Times of configs beside the best, CUB and memcpy, at several sizes, within a figure's budget.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <upsweep/problem.hpp>

#include "bench/compare.hpp"
#include "figures/figure.hpp"

namespace upsweep::figures {

struct Measured {
  std::vector<bench::Cell> cells;
  std::vector<std::string> notes;  // what is missing, and why
};

// A cell for each problem, in their order: cold, back to back. Problems that do not fit in memory are left out, and
// those that the budget does not reach.
[[nodiscard]] Measured measure(const Setting& setting, std::span<const Problem> problems,
                               std::vector<bench::NamedConfig> configs);

// The problem at 2^first, 2^(first + 1), ... 2^last items.
[[nodiscard]] std::vector<Problem> at_powers_of_two(Problem problem, int first, int last);

// A sum of i32 in i32.
[[nodiscard]] Problem sum_of_i32(Algorithm algorithm);

// A config of so many parameters, as somebody types it: "lookback, lookback_window=1".
[[nodiscard]] bench::NamedConfig named_config(std::string label, std::string_view text);

// Those of the figure of the look-back window: tiles of 512 items, each window with each descriptor.
[[nodiscard]] std::vector<bench::NamedConfig> window_configs();

}  // namespace upsweep::figures
