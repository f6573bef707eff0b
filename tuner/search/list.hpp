// A search that proposes what it was given, in that order, and nothing else.
#pragma once

#include <memory>
#include <vector>

#include "tuner/search/search.hpp"

namespace upsweep::tuner {

// Repetitions, and what was reported before its turn, are left out.
[[nodiscard]] std::unique_ptr<Search> list_search(std::vector<Config> configs);

}  // namespace upsweep::tuner
