// The strategy `local`: steps from the best configs so far, and random configs between them.
#include <algorithm>
#include <cmath>

#include "tuner/search/evaluated_set.hpp"
#include "tuner/search/strategies.hpp"

namespace upsweep::tuner {
namespace {

class Local final : public Search {
 public:
  Local(const SearchSpace& space, const SearchOptions& options, const LocalSettings& settings)
      : space_(space),
        settings_(settings),
        evaluated_(space, options, EvaluatedSet::Begin::with_all),
        random_(options.seed) {}

  std::optional<Config> next() override {
    if (std::optional<Config> config = evaluated_.first()) return config;
    std::optional<std::uint64_t> index;
    if (random_given_ >= settings_.random_start && !chance(settings_.random_fraction)) index = step();
    if (!index) {
      index = evaluated_.sample(random_);
      ++random_given_;
    }
    return index ? std::optional(evaluated_.give(*index)) : std::nullopt;
  }

  void report(const Config& config, std::optional<double> us) override {
    evaluated_.note(config);
    const std::optional<std::uint64_t> index = space_.index_of(config);
    if (!index) return;
    std::erase_if(best_, [&](const Timed& timed) { return timed.index == *index; });
    if (!us) return;
    const auto slower = std::upper_bound(best_.begin(), best_.end(), *us,
                                         [](double time, const Timed& other) { return time < other.us; });
    best_.insert(slower, {*us, *index});
    if (best_.size() > static_cast<std::size_t>(settings_.parents)) best_.pop_back();
  }

 private:
  struct Timed {
    double us;
    std::uint64_t index;
  };

  bool chance(double probability) { return std::ldexp(static_cast<double>(random_() >> 11), -53) < probability; }

  // A new neighbour of one of the best, the better ones more often.
  std::optional<std::uint64_t> step() {
    std::vector<Timed> parents = best_;
    while (!parents.empty()) {
      const std::size_t one = random_() % parents.size(), other = random_() % parents.size();
      const auto parent = parents.begin() + static_cast<std::ptrdiff_t>(std::min(one, other));
      std::vector<std::uint64_t> neighbours = space_.neighbours(parent->index);
      std::erase_if(neighbours, [&](std::uint64_t index) { return !evaluated_.is_new(index); });
      if (!neighbours.empty()) return neighbours[random_() % neighbours.size()];
      parents.erase(parent);
    }
    return std::nullopt;
  }

  const SearchSpace& space_;
  LocalSettings settings_;
  EvaluatedSet evaluated_;
  std::mt19937_64 random_;
  std::vector<Timed> best_;  // ascending
  int random_given_ = 0;
};

}  // namespace

std::unique_ptr<Search> local_search(const SearchSpace& space, const SearchOptions& options,
                                     const LocalSettings& settings) {
  return std::make_unique<Local>(space, options, settings);
}

}  // namespace upsweep::tuner
