#include "tuner/search/search.hpp"

#include <array>

#include <upsweep/error.hpp>

#include "generator/names.hpp"
#include "tuner/search/strategies.hpp"

namespace upsweep::tuner {
namespace {

constexpr std::array<std::string_view, 4> strategies{"model", "local", "random", "exhaustive"};

}  // namespace

std::span<const std::string_view> search_strategies() {
  return strategies;
}

std::unique_ptr<Search> make_search(std::string_view strategy, const SearchSpace& space, const SearchOptions& options) {
  if (strategy == "model") return model_search(space, options);
  if (strategy == "local") return local_search(space, options);
  if (strategy == "random") return random_search(space, options);
  if (strategy == "exhaustive") return exhaustive_search(space, options);
  throw UsageError(unknown_name("search strategy", strategy, as_names(search_strategies())));
}

}  // namespace upsweep::tuner
