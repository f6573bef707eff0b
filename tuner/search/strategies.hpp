// The strategies behind make_search, each with the settings that its tests turn.
#pragma once

#include "tuner/search.hpp"

namespace upsweep::tuner {

[[nodiscard]] std::unique_ptr<Search> exhaustive_search(const SearchSpace& space, const SearchOptions& options);
[[nodiscard]] std::unique_ptr<Search> random_search(const SearchSpace& space, const SearchOptions& options);

struct LocalSettings {
  int random_start = 16;         // random configs before the first local step
  double random_fraction = 0.4;  // of the configs after that
  int parents = 4;               // local steps start from one of the best of this many
};
[[nodiscard]] std::unique_ptr<Search> local_search(const SearchSpace& space, const SearchOptions& options,
                                                   const LocalSettings& settings = {});

}  // namespace upsweep::tuner
