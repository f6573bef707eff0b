// The interface of search strategies: which config to try next, from the times of those before.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <upsweep/config.hpp>

#include "tuner/search/space.hpp"

namespace upsweep::tuner {

// What is given, and when, depends on the options and on the calls so far alone. Not thread-safe.
class Search {
 public:
  virtual ~Search() = default;
  // A valid config that was neither given nor reported before; none: there is none left. May be called while reports of
  // earlier ones are outstanding. The first is the space's default, which is what the others are compared with, even
  // where a restriction leaves it out.
  [[nodiscard]] virtual std::optional<Config> next() = 0;
  // Its time in microseconds; none: it failed or was wrong. Also for configs that this search never gave (earlier
  // trials, where a tune is resumed); of several reports of one config the last counts.
  virtual void report(const Config& config, std::optional<double> us) = 0;
};

struct SearchOptions {
  std::uint64_t seed = 1;
  std::vector<Config> known =
      {};                    // good for similar problems, best guesses first; those outside the space are left out
  bool seed_configs = true;  // whether the space's seed configs are tried early
};

// The names of the strategies, the default first:
//   model       the default, known configs and seed configs, then what a model of the times so far expects most of
//   local       the same beginning, then random configs and neighbours of the best
//   random      the default, then random configs, each with the same chance
//   exhaustive  the default, seed configs, then all configs in the order of their numbers
// None proposes schedules that cannot be any good at the size.
[[nodiscard]] std::span<const std::string_view> search_strategies();

// Throws UsageError for another name. The space must outlive the search.
[[nodiscard]] std::unique_ptr<Search> make_search(std::string_view strategy, const SearchSpace& space,
                                                  const SearchOptions& options);

// Proposes these, in that order, and nothing else. Repetitions, and what was reported before its turn, are left out.
[[nodiscard]] std::unique_ptr<Search> list_search(std::vector<Config> configs);

}  // namespace upsweep::tuner
