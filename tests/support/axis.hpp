// Calls along an axis: data, and what a plain loop over each column gives.
#pragma once

#include <cstdint>

#include <upsweep/axis.hpp>
#include <upsweep/problem.hpp>

#include "tests/support/port_case.hpp"

namespace upsweep::test {

// A problem along an axis, with the accumulator and output types of the items.
[[nodiscard]] Problem axis_of_type(Algorithm algorithm, Operator op, Type type, std::uint64_t length = 1000,
                                   std::uint64_t inner = 64);

// Items of the seed, with an initial value that is no identity.
[[nodiscard]] PortCase make_axis_case(const Problem& problem, const Axis& axis, std::uint64_t seed);

}  // namespace upsweep::test
