// Strategies that learn nothing from what is reported.
#include "tuner/search/evaluated_set.hpp"
#include "tuner/search/strategies.hpp"

namespace upsweep::tuner {
namespace {

class Exhaustive final : public Search {
 public:
  Exhaustive(const SearchSpace& space, const SearchOptions& options)
      : evaluated_(space, options, EvaluatedSet::Begin::with_seed_configs) {}

  std::optional<Config> next() override {
    if (std::optional<Config> config = evaluated_.first()) return config;
    const std::optional<std::uint64_t> index = evaluated_.walk();
    return index ? std::optional(evaluated_.give(*index)) : std::nullopt;
  }
  void report(const Config& config, std::optional<double>) override { evaluated_.note(config); }

 private:
  EvaluatedSet evaluated_;
};

class Random final : public Search {
 public:
  Random(const SearchSpace& space, const SearchOptions& options)
      : evaluated_(space, options, EvaluatedSet::Begin::with_default), random_(options.seed) {}

  std::optional<Config> next() override {
    if (std::optional<Config> config = evaluated_.first()) return config;
    const std::optional<std::uint64_t> index = evaluated_.sample(random_);
    return index ? std::optional(evaluated_.give(*index)) : std::nullopt;
  }
  void report(const Config& config, std::optional<double>) override { evaluated_.note(config); }

 private:
  EvaluatedSet evaluated_;
  std::mt19937_64 random_;
};

}  // namespace

std::unique_ptr<Search> exhaustive_search(const SearchSpace& space, const SearchOptions& options) {
  return std::make_unique<Exhaustive>(space, options);
}

std::unique_ptr<Search> random_search(const SearchSpace& space, const SearchOptions& options) {
  return std::make_unique<Random>(space, options);
}

}  // namespace upsweep::tuner
