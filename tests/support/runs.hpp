// Calls of algorithms that find runs or indices: data, and what a plain loop gives.
#pragma once

#include <cstdint>

#include <upsweep/problem.hpp>

#include "tests/support/port_case.hpp"

namespace upsweep::test {

// unique, unique_by_key, run_length_encode: runs of `run_length` items on average. nonzero: an item in `run_length` is
// found.
[[nodiscard]] PortCase make_runs_case(const Problem& problem, std::uint64_t n, double run_length, std::uint64_t seed);

}  // namespace upsweep::test
