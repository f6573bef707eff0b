// Calls of algorithms that find runs or indices, partitions, scans by key and adjacent differences: data, and what a
// plain loop gives.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <upsweep/problem.hpp>

#include "tests/support/port_case.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep::test {

[[nodiscard]] Problem runs_of_type(Algorithm algorithm, Operator predicate, Type type, std::optional<Type> key = {});

// With equal items as runs, or sums of runs with equal keys.
[[nodiscard]] inline Problem usual_runs(Algorithm algorithm, Type type) {
  const bool folds = algorithm == Algorithm::inclusive_scan_by_key || algorithm == Algorithm::exclusive_scan_by_key;
  return runs_of_type(algorithm, folds ? plus : equal_to, type);
}

// Of a problem of each algorithm, every schedule; of most with two outputs, every way to store them, and of
// differences, every way to load and store.
[[nodiscard]] std::vector<Strategy> run_strategies(const DeviceLimits& limits);

// Runs of `run_length` items on average; differences have none. nonzero and partition: an item in `run_length` is
// found, or goes in front.
[[nodiscard]] PortCase make_runs_case(const Problem& problem, std::uint64_t n, double run_length, std::uint64_t seed);

}  // namespace upsweep::test
