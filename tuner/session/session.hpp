// Tuning for one size: the search proposes, configs are compiled ahead, the runner measures, the database remembers,
// the best meet again in a final, and one of them wins.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <upsweep/device_info.hpp>
#include <upsweep/tune.hpp>

#include "tuner/compile/compilations.hpp"
#include "tuner/measure/measurement.hpp"
#include "tuner/measure/pace.hpp"
#include "tuner/search/search.hpp"
#include "tuner/session/final.hpp"
#include "tuner/session/prune.hpp"
#include "tuner/session/trial_log.hpp"
#include "tuner/worker/runner.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::tuner {

// What is tuned for, and where.
struct Setting {
  DeviceIdentity device;
  DeviceLimits limits;
  Environment environment;
  Problem problem;        // its size is what is tuned for
  Config default_config;  // the one that the search gives first
  std::string name;       // Trial::session
};

struct SessionOptions {
  std::function<bool()> out_of_time = [] { return false; };  // asked between trials
  std::function<bool()> stopped = [] { return false; };      // by the caller: no final is held either
  // The device works beside this process: while a config runs on it, rows are written and configs proposed, and while
  // the compilers are behind, the best are timed again. Then the process's end may cost the rows that are being
  // written, besides the trial in flight.
  bool overlap = false;
  int maximum_trials = 0;          // configs, those of earlier runs included; 0: any number
  std::vector<Config> ahead = {};  // compiled meanwhile, for what comes after this session
  // A config's timed calls may take so many seconds: of slow ones fewer samples are taken, and one at least.
  double trial_seconds = std::numeric_limits<double>::infinity();
  double expected_us = 0;  // about what a call of the default config takes; 0: not known
  // That the final may take, asked when it begins: fewer finalists and rounds where time is short, none where it is
  // too short for that.
  std::function<double()> seconds_for_final = [] { return std::numeric_limits<double>::infinity(); };
  int patience = 0;  // ends after so many configs in a row that were no better than the best; 0: never
};

// What a session works with; all must outlive it.
struct SessionParts {
  Search& search;
  CompiledOnce& compilations;
  Runner& runner;
  tuning_db::Database& database;
};

class Session {
 public:
  using Progress = std::function<void(const Session&)>;  // after each trial

  Session(Setting setting, const SessionParts& parts, SessionOptions options);

  // Takes up what the database holds of the same device, environment, problem and size, so that nothing is measured
  // twice, then runs to the end. Where the calling thread's work is cancelled (base/cancellation.hpp), it ends with
  // what was measured before. None if it was stopped before any config ran well. Throws OutOfTime (cancelled, not
  // stopped, before any ran well), DatabaseError, DeviceError (the device is lost, or of all configs none ran well) and
  // what the runner lets through; the rows that are written stay.
  [[nodiscard]] std::optional<TunedSize> run(const Progress& progress);

  [[nodiscard]] int trials() const noexcept { return trials_; }  // of this run
  [[nodiscard]] int failures() const noexcept { return failures_; }
  [[nodiscard]] double best_us() const noexcept { return ranking_.empty() ? 0 : ranking_.front().median_us; }
  [[nodiscard]] double default_us() const noexcept { return default_us_; }  // 0: not measured
  // The best configs that were measured, those that are in every final, and the best of each schedule.
  [[nodiscard]] std::vector<Config> shortlist() const;

 private:
  struct Measured {
    double median_us = 0;
    Config config;
    std::size_t row = 0;                  // of rows_
    std::string binary = {};              // as in Outcome
    std::vector<double> samples_us = {};  // the latest of the race and later; none if there are none of this run
    int clock_mhz = 0;                    // as in Outcome
    bool refined = false;                 // there are samples that no row holds
    bool earlier = false;                 // measured by an earlier run: nobody has compiled it in this one
  };
  static constexpr std::size_t finalist_count = 4;  // besides the default and the incumbent
  static constexpr double placement_matters_below_us = 60;
  static constexpr std::size_t refined_count = 12;  // of the best, timed again while the compilers are behind

  void take_up_earlier();
  void search(const Progress& progress);
  [[nodiscard]] Outcome run(const Config& config, RunRequest request);
  // What the device takes for a sample, as far as can be told: quick calls are recorded a few hundred at a time.
  [[nodiscard]] static double sample_us(double call_us, const RunRequest& request) {
    return std::max(std::min(TimingOptions{}.maximum_recorded * call_us, request.sample_us), call_us);
  }
  // What `run` gives, which asks the runner for it: rows are written and configs proposed at the same time.
  template <typename Run>
  [[nodiscard]] auto beside_device(const RunRequest& request, const Run& run) {
    if (!request.next.empty()) soonest_ = request.next.front();
    parts_.runner.beside_next([this] {
      rows_.write();
      submit();
    });
    try {
      auto result = run();
      parts_.runner.do_beside();
      return result;
    } catch (...) {
      parts_.runner.beside_next(nullptr);
      throw;
    }
  }
  [[nodiscard]] std::vector<Config> upcoming();
  void submit();
  void handle(const CompileResult& compiled);
  [[nodiscard]] CompileResult next_compiled();
  void measure(const CompileResult& compiled);
  [[nodiscard]] std::vector<std::size_t> to_refine() const;
  [[nodiscard]] bool refine(const std::vector<Config>& next = {});
  void record_refined();
  [[nodiscard]] int affordable_samples(double call_us) const;
  void measure_noise();
  void fail(const Config& config, tuning_db::Verdict verdict, const std::string& reason, const std::string& binary);
  void pass_over(const Config& config, const std::string& reason);
  void rank(Measured measured);
  [[nodiscard]] bool ended() const;
  [[nodiscard]] const Measured* known(const Config& config) const;  // null: not measured
  // More samples of it.
  [[nodiscard]] static Outcome outcome_of(const Measured& measured, std::vector<double> samples_us);
  [[nodiscard]] double near_factor() const;
  // Those and, if they are not among them, the default and the incumbent, who are in every final.
  [[nodiscard]] std::vector<Config> with_places(std::vector<Config> configs) const;
  [[nodiscard]] std::vector<Config> best(std::size_t most) const;
  // The best finalist_count of a heat.
  [[nodiscard]] std::vector<Config> best_as_launched();
  [[nodiscard]] std::vector<Config> worth_keeping() const;
  [[nodiscard]] std::optional<std::size_t> place_of_incumbent(const std::vector<Config>& configs) const;
  [[nodiscard]] bool fit_final(std::vector<Config>& configs, FinalOptions& options) const;
  // Records the finalists' times; the winner's is the winner of the database.
  [[nodiscard]] std::optional<TunedSize> end_with_final();
  [[nodiscard]] std::optional<TunedSize> end_without_final();
  [[nodiscard]] TunedSize tuned(const Config& winner, double us) const;
  // The place in rows_.
  std::size_t record(const Config& config, tuning_db::Stage stage, const Outcome& outcome);

  Setting setting_;
  SessionParts parts_;
  SessionOptions options_;
  TrialLog rows_;
  Pruner pruner_;
  std::optional<Config> incumbent_;  // the winner so far, in the database
  std::vector<Measured> ranking_;    // best first
  std::deque<CompileResult> held_;   // compiled before the default was, which is measured first, and what comes next
  std::optional<Config> soonest_;    // of those that were made ready last
  bool default_awaited_ = false;     // it is being compiled
  Pace pace_;                        // of rounds of the best
  int loaded_ = 0;                   // configs that were measured
  int earlier_ = 0;                  // configs known from earlier runs
  int trials_ = 0;
  int failures_ = 0;
  int pruned_ = 0;
  int since_better_ = 0;  // configs
  double default_us_ = 0;
  double noise_ = 0;
  std::string last_failure_;
  bool cut_ = false;     // the search was cancelled
  bool warned_ = false;  // of a config that was passed over
};

}  // namespace upsweep::tuner
