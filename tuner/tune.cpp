#include <upsweep/tune.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "tuner/in_process_runner.hpp"
#include "tuner/session.hpp"
#include "tuner/tune_engine.hpp"

namespace upsweep::tuner {
namespace {

using Clock = std::chrono::steady_clock;

void check(const Problem& problem, const TuneOptions& options) {
  validate(problem);
  if (options.sizes.empty()) throw UsageError("no size to tune for: give at least one number of items");
  if (std::find(options.sizes.begin(), options.sizes.end(), 0u) != options.sizes.end()) {
    throw UsageError("a size of 0 items cannot be tuned for: give sizes of 1 and more");
  }
  if (options.maximum_trials < 0) {
    throw UsageError(
        fmt::format("maximum_trials is {}: give 1 or more, or 0 for as many as fit", options.maximum_trials));
  }
}

std::filesystem::path database_path(const runtime::Engine& engine, const TuneOptions& options) {
  const std::filesystem::path path =
      options.database.empty() ? engine.database() : std::filesystem::path(options.database);
  if (path.empty() || path == "none") {
    throw UsageError("tuning needs a database to write to, and this context has none: name one in TuneOptions");
  }
  return path;
}

// Configs that won for the same problem on this device, the nearest sizes first.
std::vector<Config> winners_of(const tuning_db::Database& database, const DeviceIdentity& device,
                               const Problem& problem) {
  constexpr std::size_t enough = 3;
  const int own = size_class(problem.size);
  std::vector<tuning_db::Winner> winners = database.winners();
  std::erase_if(winners, [&](const tuning_db::Winner& winner) {
    return winner.trial.device != device || !tuning_db::same_but_for_size(winner.trial.problem, problem);
  });
  std::stable_sort(winners.begin(), winners.end(), [own](const auto& a, const auto& b) {
    return std::abs(a.size_class - own) < std::abs(b.size_class - own);
  });
  std::vector<Config> configs;
  for (const tuning_db::Winner& winner : winners) {
    if (configs.size() < enough) configs.push_back(winner.trial.config);
  }
  return configs;
}

// The whole of one tune() call.
class Tuning {
 public:
  Tuning(runtime::Engine& engine, const Problem& problem, const TuneOptions& options)
      : engine_(engine),
        problem_(problem),
        options_(options),
        database_(database_path(engine, options), tuning_db::Database::Mode::read_write) {}

  TuneReport run() {
    TuneReport report;
    for (std::size_t i = 0; i < options_.sizes.size() && !stopped(); ++i) {
      if (auto tuned = tune_size(i)) report.sizes.push_back(std::move(*tuned));
    }
    report.stopped = stopped();
    return report;
  }

 private:
  [[nodiscard]] bool stopped() const { return options_.stop.stop_requested(); }

  // A size's share of the budget ends here: what one leaves over, the next ones have.
  [[nodiscard]] Clock::time_point end_of(std::size_t index) const {
    return start_ + options_.budget * static_cast<int>(index + 1) / static_cast<int>(options_.sizes.size());
  }

  std::optional<TunedSize> tune_size(std::size_t index) {
    Problem problem = problem_;
    problem.size = options_.sizes[index];
    const GeneratedSpace space(problem, engine_.device().limits());
    const std::unique_ptr<Search> search =
        make_search(search_strategies().front(), space,
                    {.seed = options_.seed, .known = winners_of(database_, engine_.device().identity(), problem)});
    InProcessRunner runner(engine_, problem, options_.seed);
    const Clock::time_point end = end_of(index);
    Session session({engine_.device().identity(), engine_.environment(), problem}, space.default_config(), *search,
                    runner, database_,
                    {.out_of_time = [end] { return Clock::now() >= end; },
                     .stopped = [this] { return stopped(); },
                     .maximum_trials = options_.maximum_trials});
    std::optional<TunedSize> tuned = session.run([&](const Session& now) { report_progress(now, index); });
    earlier_trials_ += session.trials();
    earlier_failures_ += session.failures();
    return tuned;
  }

  void report_progress(const Session& session, std::size_t index) const {
    if (!options_.progress) return;
    const std::chrono::duration<double> spent = Clock::now() - start_, budget = options_.budget;
    const auto sizes = static_cast<double>(options_.sizes.size());
    double done = budget.count() > 0 ? spent / budget : 1;
    if (options_.maximum_trials > 0) {
      done = std::max(
          done, (static_cast<double>(index) + session.trials() / static_cast<double>(options_.maximum_trials)) / sizes);
    }
    options_.progress({.size = options_.sizes[index],
                       .trials = earlier_trials_ + session.trials(),
                       .failures = earlier_failures_ + session.failures(),
                       .best_us = session.best_us(),
                       .default_us = session.default_us(),
                       .fraction_done = std::min(done, 1.0)});
  }

  runtime::Engine& engine_;
  Problem problem_;
  const TuneOptions& options_;
  tuning_db::Database database_;
  Clock::time_point start_ = Clock::now();
  int earlier_trials_ = 0;
  int earlier_failures_ = 0;
};

struct RefreshAtEnd {
  explicit RefreshAtEnd(runtime::Engine& of) : engine(of) {}
  ~RefreshAtEnd() { engine.refresh(); }
  RefreshAtEnd(const RefreshAtEnd&) = delete;
  RefreshAtEnd& operator=(const RefreshAtEnd&) = delete;
  runtime::Engine& engine;
};

}  // namespace

TuneReport tune(runtime::Engine& engine, const Problem& problem, const TuneOptions& options) {
  check(problem, options);
  const RefreshAtEnd refresh(engine);
  return Tuning(engine, problem, options).run();
}

}  // namespace upsweep::tuner

namespace upsweep {

TuneReport tune(Context& context, const Problem& problem, const TuneOptions& options) {
  return tuner::tune(*context.engine(), problem, options);
}

}  // namespace upsweep
