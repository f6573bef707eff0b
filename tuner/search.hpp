// Search strategies: which config to try next, from what is known of those before.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <upsweep/config.hpp>

#include "generator/space.hpp"

namespace upsweep::tuner {

class Search {
 public:
  virtual ~Search() = default;
  // A valid config that was not given before; none when there is none left.
  [[nodiscard]] virtual std::optional<Config> next() = 0;
  // Its median in microseconds; none: it failed or was wrong.
  virtual void report(const Config& config, std::optional<double> us) = 0;
};

struct RandomThenLocalOptions {
  std::uint64_t seed = 1;
  std::vector<Config> known = {};  // good for similar problems, to try early; those outside the space are left out
  int random_start = 16;           // random configs before the first local step
  double random_fraction = 0.4;    // of the configs after that
  int parents = 4;                 // local steps start from one of the best of this many
};

// The space's default config first, then the known ones, then the space's landmarks, then random configs and neighbours
// of the best; schedules that cannot be any good at the size are left out. Deterministic by seed and reports. The space
// must outlive the search.
[[nodiscard]] std::unique_ptr<Search> random_then_local(const Space& space, const RandomThenLocalOptions& options);

}  // namespace upsweep::tuner
