// Rows of trials, devices and samples to values. What is read is data from elsewhere: all of it is parsed and checked.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tuning-db/sqlite.hpp"
#include "tuning-db/trial.hpp"

namespace upsweep::tuning_db {

// The columns that read_trial takes, in the order in which trial_columns() names them.
enum class TrialColumn : int {
  id,
  device,  // and the other members of its identity
  driver = device + 7,
  compiler,
  generator,
  problem_key,
  config,
  size,
  size_class,
  samples,
  failure,
  measured_at,
  verdict,
  stage,
  binary,
  clock_mhz,
  session,
  checksum,
  end,  // the first column that a query may add
};

// What a query of trials selects, and joins to the table trial. LEFT JOIN, so that a trial whose device is gone shows
// up as a row that does not parse.
inline constexpr const char* trial_columns =
    "trial.id, device.name, compute_major, compute_minor, multiprocessors, memory_bus_bits, memory_clock_khz, ecc, "
    "driver, compiler, generator, problem.key, config.json, trial.size, trial.size_class, samples_us, failure, "
    "measured_at, verdict, stage, binary, clock_mhz, session, checksum";
inline constexpr const char* trial_joins =
    "LEFT JOIN device ON device.id = trial.device LEFT JOIN environment ON environment.id = trial.environment "
    "LEFT JOIN problem ON problem.id = trial.problem LEFT JOIN config ON config.id = trial.config";

// These throw RowError.
[[nodiscard]] Trial read_trial(const Statement& row);
// Without a look at the checksum, and with the config as it is stored.
[[nodiscard]] Trial parse_trial(const Statement& row);
// A device's columns, from `column` on.
[[nodiscard]] DeviceIdentity read_device(const Statement& row, int column);

// JSON array; samples_from_json throws RowError for anything else than numbers in one.
[[nodiscard]] std::string samples_to_json(std::span<const double> samples);
[[nodiscard]] std::vector<double> samples_from_json(const std::string& text);

}  // namespace upsweep::tuning_db
