#include "tuner/search/search.hpp"

#include <array>
#include <set>
#include <utility>

#include <upsweep/error.hpp>

#include "generator/names.hpp"
#include "tuner/search/evaluated_set.hpp"
#include "tuner/search/strategies.hpp"

namespace upsweep::tuner {
namespace {

constexpr std::array<std::string_view, 4> strategies{"model", "local", "random", "exhaustive"};

// What learns nothing from the times that are reported: random configs, or all in the order of their numbers.
class Blind final : public Search {
 public:
  Blind(const SearchSpace& space, const SearchOptions& options, bool at_random)
      : evaluated_(space, options,
                   at_random ? EvaluatedSet::Begin::with_default : EvaluatedSet::Begin::with_seed_configs),
        at_random_(at_random),
        random_(options.seed) {}

  std::optional<Config> next() override {
    if (std::optional<Config> config = evaluated_.first()) return config;
    const std::optional<std::uint64_t> index = at_random_ ? evaluated_.sample(random_) : evaluated_.walk();
    return index ? std::optional(evaluated_.give(*index)) : std::nullopt;
  }
  void report(const Config& config, std::optional<double>) override { evaluated_.note(config); }

 private:
  EvaluatedSet evaluated_;
  bool at_random_;
  std::mt19937_64 random_;
};

class ListSearch final : public Search {
 public:
  explicit ListSearch(std::vector<Config> configs) : configs_(std::move(configs)) {}

  std::optional<Config> next() override {
    while (at_ < configs_.size()) {
      const Config& config = configs_[at_++];
      if (seen_.insert(config).second) return config;
    }
    return std::nullopt;
  }
  void report(const Config& config, std::optional<double>) override { seen_.insert(config); }

 private:
  std::vector<Config> configs_;
  std::size_t at_ = 0;
  std::set<Config> seen_;
};

}  // namespace

std::span<const std::string_view> search_strategies() {
  return strategies;
}

std::unique_ptr<Search> make_search(std::string_view strategy, const SearchSpace& space, const SearchOptions& options) {
  if (strategy == "model") return model_search(space, options);
  if (strategy == "local") return local_search(space, options);
  if (strategy == "random" || strategy == "exhaustive") {
    return std::make_unique<Blind>(space, options, strategy == "random");
  }
  throw UsageError(unknown_name("search strategy", strategy, as_names(search_strategies())));
}

std::unique_ptr<Search> list_search(std::vector<Config> configs) {
  return std::make_unique<ListSearch>(std::move(configs));
}

}  // namespace upsweep::tuner
