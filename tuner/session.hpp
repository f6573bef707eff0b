// Tuning for one size: the search proposes, the runner measures, the database remembers, the best meet again in a
// final, and one of them wins.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <upsweep/tune.hpp>

#include "tuner/runner.hpp"
#include "tuner/search.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::tuner {

// Where the trials are from: what goes into each row beside the config.
struct Setting {
  DeviceIdentity device;
  Environment environment;
  Problem problem;  // its size is what is tuned for
};

// When to end.
struct SessionLimits {
  std::function<bool()> out_of_time;  // asked between trials
  std::function<bool()> stopped;      // by the caller: no final is held either
  int maximum_trials = 0;             // 0: any number
};

class Session {
 public:
  using Progress = std::function<void(const Session&)>;  // after each trial

  // Nothing is owned; all must outlive the session. `default_config` is the one that the search gives first.
  Session(Setting setting, Config default_config, Search& search, Runner& runner, tuning_db::Database& database,
          SessionLimits limits);

  // Runs to the end: at least one trial. None if it was stopped before any config ran well. Throws DatabaseError,
  // DeviceError (the device is lost, or of all configs none ran well) and what Runner::run lets through; the rows that
  // are written stay.
  [[nodiscard]] std::optional<TunedSize> run(const Progress& progress);

  [[nodiscard]] int trials() const noexcept { return trials_; }
  [[nodiscard]] int failures() const noexcept { return failures_; }
  [[nodiscard]] double best_us() const noexcept { return ranking_.empty() ? 0 : ranking_.front().median_us; }
  [[nodiscard]] double default_us() const noexcept { return default_us_; }  // 0: not measured

 private:
  struct Measured {
    double median_us = 0;
    Config config;
    std::int64_t trial = 0;  // id of its row
  };

  void try_config(const Config& config);
  [[nodiscard]] bool ended() const;
  [[nodiscard]] std::vector<Config> finalists() const;
  // The finalists' times, measured anew in turn, best first.
  [[nodiscard]] std::vector<Measured> hold_final();
  std::int64_t record(const Config& config, Outcome outcome);

  Setting setting_;
  Config default_config_;
  Search& search_;
  Runner& runner_;
  tuning_db::Database& database_;
  SessionLimits limits_;
  std::vector<Measured> ranking_;  // best first
  int trials_ = 0;
  int failures_ = 0;
  double default_us_ = 0;
  std::string last_failure_;
};

}  // namespace upsweep::tuner
