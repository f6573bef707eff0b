// Calls of algorithms that find runs or indices: data, and what a plain loop gives.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <upsweep/problem.hpp>

#include "tests/support/port_case.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep::test {

[[nodiscard]] Problem runs_of_type(Algorithm algorithm, Operator predicate, Type type, std::optional<Type> key = {});

// Of a problem of each algorithm, every schedule; of those with two outputs, every way to store them.
[[nodiscard]] std::vector<Strategy> run_strategies(const DeviceLimits& limits);

// unique, unique_by_key, run_length_encode: runs of `run_length` items on average. nonzero: an item in `run_length` is
// found.
[[nodiscard]] PortCase make_runs_case(const Problem& problem, std::uint64_t n, double run_length, std::uint64_t seed);

}  // namespace upsweep::test
