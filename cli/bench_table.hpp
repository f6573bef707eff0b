// Prints comparisons of `upsweep bench` as a table.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "bench/compare.hpp"
#include "bench/summary.hpp"

namespace upsweep::cli {

// Several lines: the problem with upsweep's config as the text has it, then each contestant with its time, spread,
// throughput and ratio.
[[nodiscard]] std::string describe(const bench::Cell& cell, const std::string& config);

// Then, if rungs were asked for: two lines for each, with its time and ratio, its config as text and the reason. Where
// a rung has no config, one line says why.
[[nodiscard]] std::string describe_rungs(const bench::Cell& cell,
                                         const std::function<std::string(const Config& config)>& text_of);

// One line a cell: upsweep's time, and how many times as long the others took. A column more for each rung that was
// asked for, with "none" where it has no config.
[[nodiscard]] std::string grid_header(std::span<const tuning_db::Rung> rungs = {});
[[nodiscard]] std::string grid_line(const bench::Cell& cell);

// Two lines: over scans, and over reduces; fewer where none were compared.
[[nodiscard]] std::string describe(const bench::Summary& summary);

// Nanoseconds a call, what the rows of bench::launch_cost say.
[[nodiscard]] std::string describe_launch_cost(const Problem& problem, const std::vector<bench::Row>& rows);

}  // namespace upsweep::cli
