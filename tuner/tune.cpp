#include <upsweep/tune.hpp>

#include <algorithm>
#include <chrono>
#include <random>
#include <set>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/cancellation.hpp"
#include "base/logging.hpp"
#include "base/median.hpp"
#include "runtime/context_engine.hpp"
#include "tuner/search/restriction.hpp"
#include "tuner/session/fitting_sizes.hpp"
#include "tuner/session/known.hpp"
#include "tuner/session/session.hpp"
#include "tuner/session/sides.hpp"
#include "tuner/tune_checks.hpp"
#include "tuner/tune_engine.hpp"
#include "tuner/worker/backend.hpp"
#include "tuning-db/exchange.hpp"

namespace upsweep::tuner {
namespace {

using Clock = std::chrono::steady_clock;

// Of a size's time, what the search may take; the rest is for the final.
constexpr double search_share = 0.85;
// What is under way at a budget's end may take so much longer before it is cut off, and so much is given to a budget
// that is over when all is set up.
constexpr std::chrono::seconds grace{1};
// The timed calls of a config may take this share of a size's time, and a second anyhow.
constexpr double trial_share = 1.0 / 16;
// On the host device: calls of fewer items are too quick to ask how long larger ones take.
constexpr std::uint64_t quick_items = std::uint64_t{1} << 16;
constexpr std::uint64_t sample_items = std::uint64_t{1} << 15;
constexpr std::size_t most_known = 6;
// Of the budget, what finding the winners for the sizes beside powers of two may take.
constexpr double sides_share = 0.1;
constexpr double seconds_of_side = 0.5;  // about as long as one takes on a GPU, at most

double seconds(Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

// The whole of one tune() call.
class Tuning {
 public:
  Tuning(runtime::Engine& engine, const Problem& problem, const TuneOptions& options)
      : engine_(engine),
        problem_(problem),
        options_(options),
        sizes_(options.sizes),
        database_(database_path(engine, options), tuning_db::Database::Mode::read_write),
        name_(fmt::format("{} {:08x}", tuning_db::utc_now(), std::random_device()())),
        backend_(engine, with_size(*std::max_element(options.sizes.begin(), options.sizes.end())),
                 {.isolation = options.isolation,
                  .worker = options.worker,
                  .seed = options.seed,
                  .compilers = options.compile_jobs}),
        compilations_(backend_.compilers()),
        others_(winners_of_others(database_, problem)) {}

  TuneReport run() {
    TuneReport report{.problem = problem_, .device = engine_.device().label(), .sizes = {}};
    deadline_ = std::max(start_ + options_.budget, Clock::now()) + grace;
    choose_sizes(report);
    for (std::size_t i = 0; i < sizes_.size() && !stopped();) {
      try {
        if (Clock::now() >= deadline_)
          throw OutOfTime("the budget ended before this size was started: give a longer budget");
        if (auto tuned = tune_size(i)) report.sizes.push_back(std::move(*tuned));
      } catch (const OutOfTime& late) {
        if (postpone(i)) continue;
        report.left_out.push_back({sizes_[i], late.what()});
      }
      ++i;
    }
    if (!stopped()) report.side_winners = find_side_winners();
    report.stopped = stopped();
    if (report.stopped) list_unreached(report);
    if (report.sizes.empty() && !report.stopped) throw OutOfTime(report.left_out.front().reason);
    if (measuring_since_) {
      report.measuring_seconds = seconds(Clock::now() - *measuring_since_);
      report.busy_seconds = backend_.runner().busy_seconds() - busy_before_;
      report.waiting_seconds = compilations_.waited_seconds() - waited_before_;
    }
    return report;
  }

 private:
  [[nodiscard]] bool stopped() const { return options_.stop.stop_requested(); }

  // Puts a size that had no time behind the others, once: on a machine where nothing is cached yet, the first compiler
  // and the first worker may take longer to start than a size has. False if no time or no other size is left.
  bool postpone(std::size_t index) {
    if (index + 1 == sizes_.size() || Clock::now() >= start_ + options_.budget) return false;
    if (!postponed_.insert(sizes_[index]).second) return false;
    const auto first = sizes_.begin() + static_cast<std::ptrdiff_t>(index);
    std::rotate(first, first + 1, sizes_.end());
    return true;
  }

  // Those of the sizes that the report does not have yet.
  void list_unreached(TuneReport& report) const {
    for (const std::uint64_t size : sizes_) {
      const bool has_winner = std::any_of(report.sizes.begin(), report.sizes.end(),
                                          [&](const TunedSize& each) { return each.size == size; });
      const bool is_listed = std::any_of(report.left_out.begin(), report.left_out.end(),
                                         [&](const SizeLeftOut& each) { return each.size == size; });
      if (!has_winner && !is_listed)
        report.left_out.push_back({size, "the tune was stopped before this size had a winner"});
    }
  }

  [[nodiscard]] Problem with_size(std::uint64_t size) const {
    Problem problem = problem_;
    problem.size = size;
    return problem;
  }

  // For the winners beside powers of two.
  [[nodiscard]] std::chrono::duration<double> for_sides() const {
    const auto powers =
        std::count_if(sizes_.begin(), sizes_.end(), [](std::uint64_t size) { return size_side(size) == SizeSide::at; });
    return std::chrono::duration<double>(
        std::min(seconds(options_.budget) * sides_share, 2 * seconds_of_side * static_cast<double>(powers)));
  }

  // A size's share of what is left of the budget: what one leaves over, the next ones have.
  [[nodiscard]] std::chrono::duration<double> share(std::size_t index) const {
    return (std::chrono::duration<double>(start_ + options_.budget - Clock::now()) - for_sides()) /
           static_cast<double>(sizes_.size() - index);
  }

  [[nodiscard]] Clock::time_point end_of_search(std::size_t index) const {
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(share(index) * search_share);
  }

  // When what is under way for a size is cut off.
  [[nodiscard]] Clock::time_point end_of_size(std::size_t index) const {
    const auto time = std::chrono::duration_cast<Clock::duration>(std::max(share(index), share(index).zero()));
    return std::min(Clock::now() + time + grace, deadline_);
  }

  // Leaves out the sizes that a slow device cannot do in the budget. Throws OutOfTime if these are all.
  void choose_sizes(TuneReport& report) {
    const std::uint64_t most = *std::max_element(sizes_.begin(), sizes_.end());
    if (engine_.device().target() != Target::host || most <= quick_items) return;
    us_per_item_ = us_per_item_at(most);
    if (us_per_item_ <= 0) return;
    const double left = seconds(start_ + options_.budget - Clock::now()), spent = seconds(Clock::now() - start_);
    const FittingSizes found = fitting_sizes(sizes_, us_per_item_, left);
    if (found.too_large.empty()) return;
    const std::string reason =
        fmt::format("{} {}", to_string(problem_),
                    too_slow(found, us_per_item_, engine_.device().label(), seconds(options_.budget), spent));
    if (found.fit.empty()) throw OutOfTime(reason);
    warn(reason);
    for (const std::uint64_t size : found.too_large) report.left_out.push_back({size, reason});
    sizes_ = found.fit;
  }

  // Microseconds an item that the default config of the size takes, as few items tell; 0: not known.
  [[nodiscard]] double us_per_item_at(std::uint64_t size) {
    const base::CancellationScope scope(options_.stop, deadline_);
    try {
      const Config config = Space(with_size(size), engine_.device().limits()).default_config();
      compilations_.submit(config);
      if (compilations_.wait().verdict != Verdict::measured) return 0;
      const Outcome outcome = backend_.runner().run(config, {.size = sample_items, .samples = 3});
      return outcome.samples_us.empty() ? 0 : base::median(outcome.samples_us) / static_cast<double>(sample_items);
    } catch (const base::Cancelled&) {
      if (stopped()) throw;
      throw OutOfTime(fmt::format(
          "{} cannot be tuned in {} on {}: compiling the first config takes longer than that; give a longer budget",
          to_string(problem_), duration_text(seconds(options_.budget)), engine_.device().label()));
    }
  }

  [[nodiscard]] std::unique_ptr<Search> make_search(const SearchSpace& space, const Problem& problem) const {
    const DeviceIdentity& device = engine_.device().identity();
    if (options_.refresh) {
      std::vector<Config> configs = finalists_of_earlier(database_, device, problem);
      std::erase_if(configs, [&](const Config& config) { return !space.contains(config); });
      configs.insert(configs.begin(), space.default_config());
      return list_search(std::move(configs));
    }
    std::vector<tuning_db::Winner> winners = database_.winners({.problem = problem_});  // of sizes that were just tuned
    winners.insert(winners.end(), others_.begin(), others_.end());
    const std::string_view strategy = options_.strategy.empty() ? search_strategies().front() : options_.strategy;
    return tuner::make_search(strategy, space,
                              {.seed = options_.seed, .known = known_configs(winners, device, problem, most_known)});
  }

  // The device must not wait for a compiler when the next size begins.
  [[nodiscard]] std::vector<Config> first_of_next(std::size_t index) const {
    if (index + 1 == sizes_.size()) return {};
    return {Space(with_size(sizes_[index + 1]), engine_.device().limits()).default_config()};
  }

  std::optional<TunedSize> tune_size(std::size_t index) {
    const Problem problem = with_size(sizes_[index]);
    const DeviceLimits& limits = engine_.device().limits();
    const GeneratedSpace whole(problem, limits);
    const RestrictedSpace part(whole, options_.only);
    const SearchSpace& space = options_.only.empty() ? static_cast<const SearchSpace&>(whole) : part;
    const std::unique_ptr<Search> search = make_search(space, problem);
    const Clock::time_point hard_end = end_of_size(index);
    const base::CancellationScope scope(options_.stop, hard_end);
    std::optional<Clock::time_point> end;  // counted from the first time it is asked for, when all is set up
    Session session({.device = engine_.device().identity(),
                     .limits = limits,
                     .environment = engine_.environment(),
                     .problem = problem,
                     .session = name_},
                    whole.default_config(), {*search, compilations_, backend_.runner(), database_},
                    {.out_of_time =
                         [this, &end, index] {
                           if (!end) end = end_of_search(index);
                           return Clock::now() >= *end;
                         },
                     .stopped = [this] { return stopped(); },
                     .overlap = engine_.device().target() == Target::cuda,
                     .maximum_trials = options_.maximum_trials,
                     .ahead = first_of_next(index),
                     .trial_seconds = std::max(seconds(hard_end - Clock::now()) * trial_share, 1.0),
                     .expected_us = us_per_item_ * static_cast<double>(problem.size),
                     .seconds_for_final = [hard_end] { return seconds(hard_end - Clock::now()); },
                     .patience = options_.patience});
    std::optional<TunedSize> tuned = session.run([&](const TunedSize& so_far) { report_progress(so_far, index); });
    earlier_trials_ += session.so_far().trials;
    earlier_failures_ += session.so_far().failures;
    if (tuned) shortlists_[problem.size] = session.shortlist();
    return tuned;
  }

  // Beside the powers of two that were tuned. Where there is no time for that, the winners for powers of two serve.
  int find_side_winners() {
    const base::CancellationScope scope(options_.stop, std::max(start_ + options_.budget, Clock::now()));
    return tuner::find_side_winners(
        {.engine = engine_, .problem = problem_, .session = name_, .restricted = !options_.only.empty()},
        {compilations_, backend_.runner(), database_}, shortlists_);
  }

  void report_progress(const TunedSize& so_far, std::size_t index) {
    if (!measuring_since_) {
      measuring_since_ = Clock::now();
      busy_before_ = backend_.runner().busy_seconds();
      waited_before_ = compilations_.waited_seconds();
    }
    if (!options_.progress) return;
    const double spent = seconds(Clock::now() - start_), budget = seconds(options_.budget);
    const auto sizes = static_cast<double>(sizes_.size());
    double done = budget > 0 ? spent / budget : 1;
    if (options_.maximum_trials > 0) {
      done = std::max(
          done, (static_cast<double>(index) + so_far.trials / static_cast<double>(options_.maximum_trials)) / sizes);
    }
    options_.progress({.device = engine_.device().label(),
                       .problem = with_size(sizes_[index]),
                       .trials = earlier_trials_ + so_far.trials,
                       .failures = earlier_failures_ + so_far.failures,
                       .best_us = so_far.winner_us,
                       .default_us = so_far.default_us,
                       .fraction_done = std::min(done, 1.0)});
  }

  runtime::Engine& engine_;
  Problem problem_;
  const TuneOptions& options_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point deadline_;        // of all: what is under way then is cut off
  std::vector<std::uint64_t> sizes_;  // of these the options', those that are tuned
  std::set<std::uint64_t> postponed_;
  double us_per_item_ = 0;  // of the default config on the host device; 0: not known
  tuning_db::Database database_;
  std::string name_;
  Backend backend_;
  CompiledOnce compilations_;
  std::vector<tuning_db::Winner> others_;
  std::optional<Clock::time_point> measuring_since_;
  Shortlists shortlists_;  // of the sizes that were tuned
  double busy_before_ = 0;
  double waited_before_ = 0;
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
  check(engine, problem, options);
  const RefreshAtEnd refresh(engine);
  const base::CancellationScope scope(options.stop);
  try {
    return Tuning(engine, problem, options).run();
  } catch (const base::Cancelled&) {  // before anything was measured
    if (!options.stop.stop_requested()) throw;
    return {.problem = problem, .device = engine.device().label(), .sizes = {}, .stopped = true};
  }
}

}  // namespace upsweep::tuner

namespace upsweep {

TuneReport tune(Context& context, const Problem& problem, const TuneOptions& options) {
  return tuner::tune(runtime::engine_of(context), problem, options);
}

}  // namespace upsweep
