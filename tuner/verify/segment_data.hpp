// Test data of problems of segments: where they begin and end.
#pragma once

#include <cstdint>
#include <vector>

#include <upsweep/port.hpp>
#include <upsweep/problem.hpp>

#include "tuner/verify/number.hpp"

namespace upsweep::tuner {

// Offsets of segments of many lengths, a quarter of them empty, whose mean is the problem's. The first m segments have
// at least m times the mean, so that those of a call of fewer items, as many as rows_of() counts, have all of these. No
// offset is above n.
[[nodiscard]] Bytes make_offsets(const Problem& problem, const Port& port, std::uint64_t n, std::uint64_t seed);

// Patterns of the arrays that a call of problem.size items reads, of so many items. Offsets are no pattern: there are
// as many as the call reads.
[[nodiscard]] std::vector<Bytes> make_patterns(const Problem& problem, std::uint64_t items, std::uint64_t seed);

}  // namespace upsweep::tuner
