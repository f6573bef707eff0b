// The strategies that learn (`local` and `model`), with the settings that tests change. make_search makes them.
#pragma once

#include "tuner/search/search.hpp"

namespace upsweep::tuner {

struct LocalSettings {
  int random_start = 16;         // random configs before the first local step
  double random_fraction = 0.4;  // of the configs after that
  int parents = 4;               // local steps start from one of the best of this many
};
[[nodiscard]] std::unique_ptr<Search> local_search(const SearchSpace& space, const SearchOptions& options,
                                                   const LocalSettings& settings = {});

struct ModelSettings {
  std::size_t seed_configs = 24;  // tried early; the others are candidates
  // Configs given or reported before the model chooses: what the seed configs leave is random.
  std::size_t start = 26;
  double random_fraction = 0.05;  // of the configs after that
  int trees = 16;
  int trees_renewed = 2;  // for each config given
  int columns_tried = 16;
  int least_rows = 3;              // of a node that is divided
  double worst = 0.35;             // logarithm of how much slower than the best still counts
  double variance_floor = 0.0004;  // variance of the logarithm that no tree sees: noise and ruggedness
  std::size_t parents = 5;         // whose neighbours are candidates
  std::size_t pool = 300;          // candidates kept
  int first_samples = 64;          // random candidates added for each config given, until there are so many
  int samples = 16;                // and after that
  int mutants = 12;                // few steps from a parent, for each config given
  // Of the configs given: the best with half or twice a count, which single steps do not reach.
  double long_step_fraction = 0.3;
  int long_steps = 2;  // to each value of a count
};
[[nodiscard]] std::unique_ptr<Search> model_search(const SearchSpace& space, const SearchOptions& options,
                                                   const ModelSettings& settings = {});

}  // namespace upsweep::tuner
