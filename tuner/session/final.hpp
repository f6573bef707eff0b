// The final of a tune: the best configs meet again, timed in turn, with the calls that the winner is for.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/problem.hpp>

#include "tuner/session/race.hpp"
#include "tuner/worker/runner.hpp"

namespace upsweep::tuner {

struct FinalOptions {
  RaceOptions race;
  double sample_us = 1000;
  // Workspaces are put elsewhere for every round, and for every other one of the other calls (RunRequest::moves).
  bool move = false;
  int other_samples = 8;  // of each finalist with each of the other calls; 0: none is made
  // Finalists that are slower than the leader by more than this share are not timed with other calls.
  double other_margin = 0.03;
  // A winner whose geometric mean over all calls is worse than another's by more than this share gives way to it.
  double tolerance = 0.01;
  // Data of these densities is timed too (other_densities). A config is then judged by its worst time relative to the
  // best one of the same density; finalists that are slower by at most density_margin are timed with all of them.
  std::vector<Density> densities = {};
  int density_samples = 4;  // of each finalist with each of them
  double density_margin = 1;
};

struct Finalist {
  Config config;
  Contestant race;            // at the size itself
  bool failed = false;        // it ran before, and no longer
  std::vector<double> other;  // trimmed means with the other calls, microseconds; empty if it was not timed with them
  std::vector<double> by_density;  // likewise, with data of each of FinalOptions::densities
};

struct FinalResult {
  std::size_t winner = 0;
  int rounds = 0;
  std::vector<Finalist> finalists;  // in the order they were given in
};

// A kind of call that a winner is for.
struct CallKind {
  std::uint64_t size = 0;
  bool misaligned = false;  // RunRequest::misaligned
  Density density = Density::unknown;
  bool operator==(const CallKind&) const = default;
};

// Two sizes of a side of the size class of 2^exponent that are not that power itself, an eighth and five sixteenths
// above it or a sixteenth and three sixteenths below, and odd: no multiples of anything a kernel is made of. Fewer
// where the class is too small for two.
[[nodiscard]] std::vector<std::uint64_t> typical_sizes(int exponent, SizeSide side);

// What the winner for a size is also for: nothing if that is a power of two, which has a winner of its own; else
// another size of the same side of the size class, misaligned arrays, and above a power of two also misaligned arrays
// of that many items (runtime::planned_size).
[[nodiscard]] std::vector<CallKind> other_calls(std::uint64_t size);

// The densities of results that the winner of a problem without one is also for: few results per item, half as many
// results as items, and as many, where there can be so many. None where the number of results does not depend on the
// data, or is not known of the data.
[[nodiscard]] std::vector<Density> other_densities(const Problem& problem);

// Who wins for the size's side of its size class. `incumbent`: the one that stays if it does not matter. None if all of
// them fail now. What the runner throws passes through.
[[nodiscard]] std::optional<FinalResult> hold_final(Runner& runner, std::span<const Config> configs,
                                                    std::optional<std::size_t> incumbent, std::uint64_t size,
                                                    const FinalOptions& options = {});

}  // namespace upsweep::tuner
