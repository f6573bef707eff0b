// Tuning for one size: the search proposes, configs are compiled ahead, the runner checks and measures them, the
// database remembers, the best meet again in a final, and one of them wins.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <upsweep/tune.hpp>

#include "tuner/compile/compilations.hpp"
#include "tuner/measure/batch_sizing.hpp"
#include "tuner/search/search.hpp"
#include "tuner/session/final.hpp"
#include "tuner/session/proposals.hpp"
#include "tuner/session/prune.hpp"
#include "tuner/session/ranking.hpp"
#include "tuner/session/trial_log.hpp"
#include "tuner/worker/runner.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::tuner {

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
  // `default_config`: the one that the search gives first.
  Session(Setting setting, const Config& default_config, const SessionParts& parts, SessionOptions options);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  using Progress = std::function<void(const TunedSize& so_far)>;  // after each trial; winner_us is the best so far

  // Takes up what the database holds of the same device, environment, problem and size, so that nothing is measured
  // twice, then runs to the end. Where the calling thread's work is cancelled (base/cancellation.hpp), it ends with
  // what was measured before. None if it was stopped before any config ran well. Throws OutOfTime (cancelled, not
  // stopped, before any ran well), DatabaseError, DeviceError (the device is lost, or of all configs none ran well) and
  // what the runner lets through; the rows that are written stay.
  [[nodiscard]] std::optional<TunedSize> run(const Progress& progress);

  [[nodiscard]] const TunedSize& so_far() const noexcept { return so_far_; }
  // The best configs that were measured, those that are in every final, and the best of each schedule.
  [[nodiscard]] std::vector<Config> shortlist() const { return ranking_.shortlist(); }

 private:
  void take_up_earlier();
  void search(const Progress& progress);
  [[nodiscard]] bool ended() const;
  void propose();
  // Decides what is to be done with a config that was compiled: measures it unless it is known not to be worth it.
  void handle(const CompileResult& compiled);
  void measure(const CompileResult& compiled);
  [[nodiscard]] Outcome run(const Config& config, RunRequest request);
  // A few rounds of the best, while `next` is made ready; false if there is nothing worth it.
  [[nodiscard]] bool refine(const std::vector<Config>& next = {});
  // Writes rows and proposes configs while the device is at what was started.
  void work_beside(const RunRequest& request);
  void measure_noise();
  void note_default();  // its time
  void fail(const Config& config, tuning_db::Verdict verdict, const std::string& reason, const std::string& binary);
  // No row: the next tune is to try it again.
  void pass_over(const Config& config, const std::string& reason);
  std::size_t record(const Config& config, tuning_db::Stage stage, const Outcome& outcome);
  // Holds a final: the finalists' times are recorded, and the winner's is the winner of the database.
  [[nodiscard]] TunedSize end_with_final();
  [[nodiscard]] TunedSize end_without_final();

  Setting setting_;
  Config default_;
  SessionParts parts_;
  SessionOptions options_;
  TrialLog rows_;
  Pruner pruner_;
  Ranking ranking_;
  Proposals proposals_;
  TunedSize so_far_;
  std::optional<Config> soonest_;  // of those that were made ready last
  BatchSizing batch_sizing_;       // of rounds of the best
  int loaded_ = 0;                 // configs that were measured
  int since_better_ = 0;           // configs
  std::string last_failure_;
  bool cut_ = false;     // the search was cancelled
  bool warned_ = false;  // of a config that was passed over
};

}  // namespace upsweep::tuner
