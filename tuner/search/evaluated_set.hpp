// The configs that a search has proposed or been told of. All strategies use it to propose only new ones.
#pragma once

#include <deque>
#include <set>
#include <unordered_set>

#include "tuner/search/search.hpp"

namespace upsweep::tuner {

class EvaluatedSet {
 public:
  enum class Begin { with_all, with_known, with_seed_configs, with_default };

  // The space must outlive it.
  EvaluatedSet(const SearchSpace& space, const SearchOptions& options, Begin begin);

  // The next new one of the default config, the known ones and the seed configs, as far as `begin` says; noted.
  [[nodiscard]] std::optional<Config> first();

  [[nodiscard]] bool is_new(std::uint64_t index) const { return !seen_.contains(index); }
  void note(const Config& config);
  [[nodiscard]] Config give(std::uint64_t index);

  // New points of schedules that suit, at random until most were given, then by walking through the space; none: there
  // is none left.
  [[nodiscard]] std::optional<std::uint64_t> sample(std::mt19937_64& random);
  // The next one in the order of the numbers.
  [[nodiscard]] std::optional<std::uint64_t> walk();

 private:
  [[nodiscard]] bool is_new(const Config& config) const;

  const SearchSpace& space_;
  bool default_pending_ = true;
  std::deque<Config> first_;
  std::unordered_set<std::uint64_t> seen_;
  std::set<Config> seen_outside_;  // of the space
  std::uint64_t walk_from_ = 0;
  std::uint64_t walked_ = 0;
};

}  // namespace upsweep::tuner
