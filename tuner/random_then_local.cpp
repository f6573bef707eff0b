#include <algorithm>
#include <cmath>
#include <deque>
#include <random>
#include <set>

#include "tuner/search.hpp"

namespace upsweep::tuner {
namespace {

class RandomThenLocal final : public Search {
 public:
  RandomThenLocal(const Space& space, const RandomThenLocalOptions& options)
      : space_(space), options_(options), random_(options.seed), points_(space.points()) {
    const std::vector<Config> landmarks = space.landmarks();
    first_.push_back(space.default_config());
    first_.insert(first_.end(), options.known.begin(), options.known.end());
    first_.insert(first_.end(), landmarks.begin(), landmarks.end());  // what was given before is left out
    walk_from_ = points_ > 0 ? random_() % points_ : 0;
  }

  std::optional<Config> next() override {
    std::optional<Config> config = initial();
    if (!config && random_given_ >= options_.random_start && !chance(options_.random_fraction)) config = local();
    if (!config) {
      config = random();
      ++random_given_;
    }
    if (config) seen_.insert(*config);
    return config;
  }

  void report(const Config& config, std::optional<double> us) override {
    if (!us) return;
    const auto slower = std::upper_bound(best_.begin(), best_.end(), *us,
                                         [](double time, const Timed& other) { return time < other.us; });
    best_.insert(slower, {*us, config});
    if (best_.size() > static_cast<std::size_t>(options_.parents)) best_.pop_back();
  }

 private:
  struct Timed {
    double us;
    Config config;
  };

  bool chance(double probability) { return std::ldexp(static_cast<double>(random_() >> 11), -53) < probability; }
  [[nodiscard]] bool fresh(const Config& config) const { return !seen_.contains(config); }

  std::optional<Config> initial() {
    while (!first_.empty()) {
      Config config = std::move(first_.front());
      first_.pop_front();
      if (fresh(config) && space_.contains(config)) return config;
    }
    return std::nullopt;
  }

  // A new neighbour of one of the best, the better ones more often.
  std::optional<Config> local() {
    std::vector<Timed> parents = best_;
    while (!parents.empty()) {
      const std::size_t pick = std::min(random_() % parents.size(), random_() % parents.size());
      std::vector<Config> neighbours = space_.neighbours(parents[pick].config);
      std::erase_if(neighbours, [&](const Config& config) { return !fresh(config); });
      if (!neighbours.empty()) return neighbours[random_() % neighbours.size()];
      parents.erase(parents.begin() + static_cast<std::ptrdiff_t>(pick));
    }
    return std::nullopt;
  }

  std::optional<Config> random() {
    // Where most of the space has been given, walking through it finds the rest.
    constexpr int attempts = 16;
    for (int i = 0; i < attempts && walked_ == 0; ++i) {
      Config config = space_.sample(random_);
      if (fresh(config) && space_.suits(config)) return config;
    }
    while (walked_ < points_) {
      Config config = space_.point((walk_from_ + walked_++) % points_);
      if (fresh(config) && space_.contains(config) && space_.suits(config)) return config;
    }
    return std::nullopt;
  }

  const Space& space_;
  RandomThenLocalOptions options_;
  std::mt19937_64 random_;
  std::uint64_t points_;
  std::deque<Config> first_;
  std::set<Config> seen_;
  std::vector<Timed> best_;  // ascending
  int random_given_ = 0;
  std::uint64_t walk_from_ = 0;
  std::uint64_t walked_ = 0;
};

}  // namespace

std::unique_ptr<Search> random_then_local(const Space& space, const RandomThenLocalOptions& options) {
  return std::make_unique<RandomThenLocal>(space, options);
}

}  // namespace upsweep::tuner
