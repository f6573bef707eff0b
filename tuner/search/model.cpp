// The strategy that learns: trees fitted to the logarithms of the times so far say what to expect of a config and how
// sure that is; what is tried next promises the greatest improvement over the best.
#include <algorithm>
#include <cmath>
#include <map>

#include "tuner/search/evaluated_set.hpp"
#include "tuner/search/features.hpp"
#include "tuner/search/strategies.hpp"
#include "tuner/search/trees.hpp"

namespace upsweep::tuner {
namespace {

// E[max(best - x, 0)] of a normal x.
double expected_improvement(double best, double mean, double deviation) {
  if (deviation <= 0) return std::max(best - mean, 0.0);
  const double z = (best - mean) / deviation;
  constexpr double root_half = 0.70710678118654752, root_two_pi = 2.50662827463100050;
  return deviation * (z * 0.5 * std::erfc(-z * root_half) + std::exp(-0.5 * z * z) / root_two_pi);
}

class Model final : public Search {
 public:
  Model(const SearchSpace& space, const SearchOptions& options, const ModelSettings& settings)
      : space_(space),
        settings_(settings),
        evaluated_(space, options, EvaluatedSet::Begin::with_known),
        features_(space),
        random_(options.seed) {
    for (std::size_t i = 0; i < space.schedules().size(); ++i) {
      const ScheduleParameters& schedule = space.schedules()[i];
      if (schedule.suits) (schedule.is_baseline ? baselines_ : schedules_).push_back(i);
    }
    if (options.seed_configs) choose_seed_configs();
  }

  std::optional<Config> next() override {
    if (std::optional<Config> config = evaluated_.first()) {
      if (const auto index = space_.index_of(*config)) pending_.emplace(*index, features_.of(*index));
      return config;
    }
    std::optional<std::uint64_t> index = seed_config();
    const bool learns = observed_.size() + pending_.size() >= settings_.start && !best_order_.empty();
    if (!index && learns && uniform(random_) < settings_.long_step_fraction) index = long_step();
    if (!index && learns && uniform(random_) >= settings_.random_fraction) index = most_promising();
    if (!index) index = sample();
    if (!index) return std::nullopt;
    pending_.emplace(*index, features_.of(*index));
    return evaluated_.give(*index);
  }

  void report(const Config& config, std::optional<double> us) override {
    evaluated_.note(config);
    const std::optional<std::uint64_t> index = space_.index_of(config);
    if (!index) return;
    pending_.erase(*index);
    Observed& observed = observed_[*index];
    if (observed.features.empty()) observed.features = features_.of(*index);
    std::erase(best_order_, *index);
    observed.log_us = us ? std::optional(std::log(std::max(*us, 1e-3))) : std::nullopt;
    if (!us) return;
    const auto slower =
        std::upper_bound(best_order_.begin(), best_order_.end(), *observed.log_us,
                         [&](double log_us, std::uint64_t other) { return log_us < *observed_.at(other).log_us; });
    best_order_.insert(slower, *index);
  }

 private:
  struct Observed {
    std::vector<float> features;
    std::optional<double> log_us;  // none: it failed
  };
  struct Place {  // a value of a schedule's parameter
    std::size_t schedule = 0, parameter = 0, value = 0;
    auto operator<=>(const Place&) const = default;
  };
  struct Candidate {
    std::uint64_t index = 0;
    std::vector<float> features;
    std::vector<double> expected = {};  // by each tree
  };

  // Seed configs may be many, in groups of similar ones: some from all over are tried early, the others are candidates.
  void choose_seed_configs() {
    for (const Config& config : space_.seed_configs()) {
      const auto index = space_.index_of(config);
      if (index && space_.suits(*index) && space_.contains(*index)) seed_configs_.push_back(*index);
    }
    const std::size_t early = std::min(settings_.seed_configs, seed_configs_.size());
    for (std::size_t i = 0; i < early; ++i)
      first_seed_configs_.push_back(seed_configs_[i * seed_configs_.size() / early]);
  }

  std::optional<std::uint64_t> seed_config() {
    while (!first_seed_configs_.empty()) {
      const std::uint64_t index = first_seed_configs_.front();
      first_seed_configs_.pop_front();
      if (evaluated_.is_new(index)) return index;
    }
    return std::nullopt;
  }

  // Schedules get equal shares: one has ten times as many configs as another. Baselines share one sample in 32. A
  // schedule that has none on this device is not looked into again: finding nothing takes a thousand looks.
  std::optional<std::uint64_t> sample_of_any_schedule() {
    constexpr std::uint64_t samples_per_baseline = 32;
    const bool takes_baseline = schedules_.empty() || (!baselines_.empty() && random_() % samples_per_baseline == 0);
    std::vector<std::size_t>& schedules = takes_baseline ? baselines_ : schedules_;
    if (schedules.empty()) return std::nullopt;
    const std::size_t place = random_() % schedules.size();
    const auto index = space_.sample(random_, schedules[place]);
    if (!index) schedules.erase(schedules.begin() + static_cast<std::ptrdiff_t>(place));
    return index;
  }

  std::optional<std::uint64_t> sample() {
    constexpr int attempts = 4;
    for (int i = 0; i < attempts; ++i) {
      const auto index = sample_of_any_schedule();
      if (index && evaluated_.is_new(*index)) return index;
    }
    return evaluated_.sample(random_);
  }

  [[nodiscard]] double best_log() const { return *observed_.at(best_order_.front()).log_us; }

  // What is known of the configs so far, relative to the best: how much slower than `worst` a config is says nothing.
  // Failures are that slow, and what was given and not reported yet is as slow as the slower ones.
  void learn() {
    std::vector<const std::vector<float>*> rows;
    std::vector<double> targets;
    const double best = best_log();
    const std::uint64_t slow_one = best_order_[best_order_.size() * 3 / 4];
    const double liar = std::min(*observed_.at(slow_one).log_us - best, settings_.worst);
    for (const auto& [index, observed] : observed_) {
      rows.push_back(&observed.features);
      targets.push_back(observed.log_us ? std::min(*observed.log_us - best, settings_.worst) : settings_.worst);
    }
    for (const auto& [index, features] : pending_) {
      rows.push_back(&features);
      targets.push_back(liar);
    }
    const Table table(features_.columns(), rows);
    const bool first = trees_.empty();
    for (int i = 0; i < (first ? settings_.trees : settings_.trees_renewed); ++i) {
      Tree tree(table, targets, random_,
                {.columns_tried = settings_.columns_tried, .least_rows = settings_.least_rows});
      const std::size_t place = oldest_tree_++ % static_cast<std::size_t>(settings_.trees);
      if (place < trees_.size()) {
        trees_[place] = std::move(tree);
      } else {
        trees_.push_back(std::move(tree));
      }
      for (Candidate& candidate : pool_) {
        candidate.expected.resize(trees_.size());
        candidate.expected[place] = trees_[place].predict(candidate.features);
      }
    }
  }

  void add_candidate(std::uint64_t index) {
    if (!evaluated_.is_new(index) || !in_pool_.insert(index).second) return;
    Candidate candidate{.index = index, .features = features_.of(index)};
    for (const Tree& tree : trees_) candidate.expected.push_back(tree.predict(candidate.features));
    pool_.push_back(std::move(candidate));
  }

  // A config that differs from another in a few parameters by a step.
  std::optional<std::uint64_t> mutant(std::uint64_t index) {
    Coordinates at = space_.coordinates(index);
    const std::vector<Parameter>& parameters = space_.schedules()[at.schedule].parameters;
    const std::size_t changes = 2 + random_() % 2;
    for (std::size_t change = 0; change < changes; ++change) {
      const std::size_t i = random_() % parameters.size();
      const std::size_t values = parameters[i].values.size();
      if (!is_ordered(parameters[i])) {
        at.values[i] = random_() % values;
      } else if (random_() % 2 == 0) {
        at.values[i] = std::min(at.values[i] + 1, values - 1);
      } else {
        at.values[i] -= at.values[i] > 0 ? 1 : 0;
      }
    }
    const std::uint64_t other = space_.index_of(at);
    if (space_.has_baseline(other) && !space_.has_baseline(index)) return std::nullopt;
    return space_.contains(other) ? std::optional(other) : std::nullopt;
  }

  // The best with one count halved or doubled. What trees make of a few steps around the best says nothing of places
  // farther off: that one is better with half the threads shows when it is tried.
  std::optional<std::uint64_t> long_step() {
    const Coordinates best = space_.coordinates(best_order_.front());
    const std::vector<Parameter>& parameters = space_.schedules()[best.schedule].parameters;
    std::vector<std::pair<std::uint64_t, Place>> open;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      for (const double factor : {0.5, 2.0}) {
        const std::optional<Coordinates> at = after_long_step(best, i, factor);
        if (!at || long_steps_[{best.schedule, i, at->values[i]}] >= settings_.long_steps) continue;
        open.push_back({space_.index_of(*at), {best.schedule, i, at->values[i]}});
      }
    }
    if (open.empty()) return std::nullopt;
    const auto& [index, place] = open[random_() % open.size()];
    ++long_steps_[place];
    return index;
  }

  // To the value nearest to `factor` times the one there, of those with which it is a new config; none is near.
  [[nodiscard]] std::optional<Coordinates> after_long_step(const Coordinates& from, std::size_t parameter,
                                                           double factor) const {
    const Parameter& counts = space_.schedules()[from.schedule].parameters[parameter];
    if (!is_ordered(counts)) return std::nullopt;
    const auto count = [&](std::size_t value) {
      return static_cast<double>(std::get<std::int64_t>(counts.values[value]));
    };
    std::optional<Coordinates> nearest;
    double least = 0.3;  // of the logarithm
    for (std::size_t value = 0; value < counts.values.size(); ++value) {
      const double distance = std::abs(std::log(count(value) / (factor * count(from.values[parameter]))));
      if (!(distance < least) || value == from.values[parameter]) continue;
      Coordinates other = from;
      other.values[parameter] = value;
      const std::uint64_t index = space_.index_of(other);
      if (!evaluated_.is_new(index) || !space_.contains(index)) continue;
      nearest = other;
      least = distance;
    }
    return nearest;
  }

  void refill() {
    std::erase_if(pool_, [&](const Candidate& candidate) {
      if (evaluated_.is_new(candidate.index)) return false;
      in_pool_.erase(candidate.index);
      return true;
    });
    for (const std::uint64_t index : seed_configs_) add_candidate(index);
    const std::size_t parents = std::min<std::size_t>(best_order_.size(), settings_.parents);
    for (std::size_t i = 0; i < parents; ++i) {
      const auto [known, is_new] = neighbours_.try_emplace(best_order_[i]);
      if (is_new) known->second = space_.neighbours(best_order_[i]);
      for (const std::uint64_t index : known->second) add_candidate(index);
    }
    for (int i = 0; i < settings_.mutants; ++i) {
      if (const auto index = mutant(best_order_[random_() % parents])) add_candidate(*index);
    }
    const int fresh = pool_.size() < settings_.pool ? settings_.first_samples : settings_.samples;
    for (int i = 0; i < fresh; ++i) {
      const auto index = sample_of_any_schedule();
      if (index) add_candidate(*index);
    }
  }

  [[nodiscard]] double promise(const Candidate& candidate) const {
    double sum = 0, squares = 0;
    for (const double expected : candidate.expected) sum += expected, squares += expected * expected;
    const auto trees = static_cast<double>(candidate.expected.size());
    const double mean = sum / trees;
    return expected_improvement(0, mean,
                                std::sqrt(std::max(squares / trees - mean * mean, 0.0) + settings_.variance_floor));
  }

  std::optional<std::uint64_t> most_promising() {
    learn();
    refill();
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < pool_.size(); ++i) order.emplace_back(-promise(pool_[i]), i);
    if (order.empty()) return std::nullopt;
    const std::size_t best = std::min_element(order.begin(), order.end())->second;
    const std::uint64_t index = pool_[best].index;
    if (pool_.size() > settings_.pool) shrink(std::move(order));
    return index;
  }

  // Keeps the more promising ones.
  void shrink(std::vector<std::pair<double, std::size_t>> order) {
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(settings_.pool);
    std::nth_element(order.begin(), end, order.end());
    std::vector<Candidate> kept;
    for (auto at = order.begin(); at != end; ++at) kept.push_back(std::move(pool_[at->second]));
    pool_ = std::move(kept);
    in_pool_.clear();
    for (const Candidate& candidate : pool_) in_pool_.insert(candidate.index);
  }

  const SearchSpace& space_;
  ModelSettings settings_;
  EvaluatedSet evaluated_;
  Features features_;
  std::mt19937_64 random_;
  std::vector<std::uint64_t> seed_configs_;
  std::deque<std::uint64_t> first_seed_configs_;
  std::vector<std::size_t> schedules_;  // those that suit, but for baselines
  std::vector<std::size_t> baselines_;
  std::map<std::uint64_t, Observed> observed_;
  std::map<std::uint64_t, std::vector<float>> pending_;
  std::vector<std::uint64_t> best_order_;                           // of what was timed, fastest first
  std::map<std::uint64_t, std::vector<std::uint64_t>> neighbours_;  // of those that were among the best
  std::map<Place, int> long_steps_;                                 // that ended there
  std::vector<Tree> trees_;
  std::size_t oldest_tree_ = 0;
  std::vector<Candidate> pool_;
  std::unordered_set<std::uint64_t> in_pool_;
};

}  // namespace

std::unique_ptr<Search> model_search(const SearchSpace& space, const SearchOptions& options,
                                     const ModelSettings& settings) {
  return std::make_unique<Model>(space, options, settings);
}

}  // namespace upsweep::tuner
