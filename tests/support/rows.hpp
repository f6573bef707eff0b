// Calls of rows: data, and what a plain loop over each row gives.
#pragma once

#include <cstdint>

#include <upsweep/problem.hpp>
#include <upsweep/rows.hpp>

#include "tests/support/port_case.hpp"

namespace upsweep::test {

// A problem of rows, with the accumulator and output types of the items.
[[nodiscard]] Problem rows_of_type(Algorithm algorithm, Operator op, Type type, std::uint64_t length = 64);

// Items of the seed, with an initial value that is no identity. What lies in gaps must stay.
[[nodiscard]] PortCase make_rows_case(const Problem& problem, const Rows& rows, std::uint64_t seed);

}  // namespace upsweep::test
