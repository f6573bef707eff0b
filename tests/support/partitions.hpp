// Partitions: data, and what a plain loop gives.
#pragma once

#include <cstdint>

#include <upsweep/problem.hpp>

#include "tests/support/port_case.hpp"

namespace upsweep::test {

// Of about one item in `items_each`, the predicate holds with the threshold. The second threshold of a three-way
// partition is one of the items.
[[nodiscard]] PortCase make_partition_case(const Problem& problem, std::uint64_t n, double items_each,
                                           std::uint64_t seed);

}  // namespace upsweep::test
