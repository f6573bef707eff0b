// One cell of a comparison: the times of all contestants for one problem of one size in one mode.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/problem.hpp>

#include "tuner/measure/measurement.hpp"
#include "tuning-db/choose.hpp"

namespace upsweep::bench {

// Who takes part. The last four are limits: what the machine can do at all.
enum class Who : std::uint8_t { upsweep, upsweep_default, peer, memcpy, plain_copy, plain_read, empty_kernel };

[[nodiscard]] std::string_view name(Who who) noexcept;  // "plain_copy"
// Throws UsageError for another text.
[[nodiscard]] Who parse_who(std::string_view text);

// How calls are made and timed.
struct Mode {
  tuner::Caches caches = tuner::Caches::cold;
  tuner::Timing timing = tuner::Timing::back_to_back;
  auto operator<=>(const Mode&) const = default;
};

// "cold", "warm" (both back to back), "cold_launched", "warm_launched" (as the host makes them), "cold_synchronized",
// "warm_synchronized" (one call and a wait for it).
[[nodiscard]] std::string name(const Mode& mode);
// Throws UsageError naming the known ones.
[[nodiscard]] Mode parse_mode(std::string_view text);
[[nodiscard]] std::span<const Mode> all_modes() noexcept;

// What one contestant took, in microseconds a call.
struct Row {
  Who who = Who::upsweep;
  std::string label;  // "upsweep", "CUB 3.0.1", "plain copy"
  double median_us = 0;
  double lowest_us = 0;
  double lower_quartile_us = 0;
  double upper_quartile_us = 0;
  double highest_us = 0;
  int samples = 0;
  std::uint64_t bytes = 0;  // that a call reads and writes; 0 of the empty kernel
  double gigabytes_per_second = 0;
};

// What one rung of the choice gives, and how long it took.
struct RungCell {
  tuning_db::RungChoice choice;
  std::optional<Row> row = {};  // none: the rung has no config
};

// A config that was asked for by name, and how long it took.
struct ConfigCell {
  std::string label;
  Config config;                // complete, but where there is no row
  std::optional<Row> row = {};  // none: the config does not run here
  std::string why_not = {};
};

// One problem of one size in one mode.
struct Cell {
  Problem problem;
  Mode mode;
  std::string rung;
  Config config;  // of `upsweep`
  int slots = 0;  // that cold calls rotated through
  std::vector<Row> rows;
  std::vector<RungCell> rungs = {};                                            // that were asked for
  std::vector<ConfigCell> configs = {};                                        // likewise
  [[nodiscard]] const Row* row(Who who) const noexcept;                        // nullptr: did not take part
  [[nodiscard]] const RungCell* rung_cell(tuning_db::Rung of) const noexcept;  // nullptr: was not asked for
  [[nodiscard]] const Row* config_row(std::string_view label) const noexcept;  // nullptr: was not asked for or timed
};

}  // namespace upsweep::bench
