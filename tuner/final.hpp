// The final of a tune: the best configs meet again, timed in turn, at the size itself and at its neighbours.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <upsweep/config.hpp>

#include "tuner/race.hpp"
#include "tuner/runner.hpp"

namespace upsweep::tuner {

struct FinalOptions {
  RaceOptions race;
  double sample_us = 1000;
  // Workspaces are put elsewhere for every round, and for every other one at the neighbouring sizes
  // (RunRequest::moves).
  bool move = false;
  int neighbour_samples = 8;       // of each finalist at each neighbouring size; 0: none is visited
  double neighbour_margin = 0.03;  // finalists that are slower than the leader by more than this have no say there
  // A winner whose geometric mean over the sizes is worse than another's by more than this share gives way to it.
  double tolerance = 0.01;
};

struct Finalist {
  Config config;
  Contestant race;            // at the size itself
  bool failed = false;        // it ran before, and no longer
  std::vector<double> sizes;  // trimmed means at the neighbouring sizes, microseconds; empty if it had no say there
};

struct FinalResult {
  std::size_t winner = 0;
  int rounds = 0;
  std::vector<Finalist> finalists;  // in the order they were given in
};

// Two sizes of the same size class, about a third below and above, no multiples of anything a kernel is made of: a
// config must not win by what one size happens to be. Fewer where they would be 0 or the size itself.
[[nodiscard]] std::vector<std::uint64_t> neighbouring_sizes(std::uint64_t size);

// Who wins for the size class. `incumbent`: the one that stays if it does not matter. None if all of them fail now.
// What the runner throws passes through.
[[nodiscard]] std::optional<FinalResult> hold_final(Runner& runner, std::span<const Config> configs,
                                                    std::optional<std::size_t> incumbent, std::uint64_t size,
                                                    const FinalOptions& options = {});

}  // namespace upsweep::tuner
