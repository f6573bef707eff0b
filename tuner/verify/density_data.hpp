// Test data of which a given share of items has results, or whose runs have a given mean length.
#pragma once

#include <cstdint>

#include <upsweep/port.hpp>
#include <upsweep/problem.hpp>

#include "tuner/verify/number.hpp"

namespace upsweep::tuner {

// Whether the items of an array that is read are to give the problem's density: those that a predicate compares with a
// threshold, and keys or other items that make up runs. Not if the problem has no density, nor where a threshold or a
// predicate is of a program's own, so that it is not known which items pass.
[[nodiscard]] bool gives_density(const Problem& problem, const Port& port);

// n items of such an array. Each passes the predicate, or begins a run, with the probability that the density says,
// whatever the others do: lengths of runs have a geometric distribution. Runs of an ordered predicate, such as less,
// are no longer than the type has values, and types of 8 bits have about 0.99 runs per item at most.
[[nodiscard]] Bytes make_density_items(const Problem& problem, const Port& port, std::uint64_t n, std::uint64_t seed);

// Items that show no pattern when longer arrays repeat them: 2^20, more where runs are long. `least`: enough for arrays
// that are not known yet.
struct PatternItems {
  std::uint64_t least = 0, most = 0;
};
[[nodiscard]] PatternItems pattern_items(const Problem& problem);

}  // namespace upsweep::tuner
