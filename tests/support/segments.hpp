// Calls of segments: offsets, data, and what a plain loop over each segment gives.
#pragma once

#include <cstdint>
#include <vector>

#include <upsweep/problem.hpp>

#include "tests/support/port_case.hpp"

namespace upsweep::test {

// A problem of segments, with the accumulator and output types of the items.
[[nodiscard]] Problem segments_of_type(Algorithm algorithm, Operator op, Type type, Type offset_type = Type::u32);

// Offsets of segments of these lengths, the first of which begins with item `first`.
[[nodiscard]] std::vector<std::uint64_t> offsets_of(const std::vector<std::uint64_t>& lengths, std::uint64_t first = 0);

// Items of the seed, with an initial value that is no identity. `n`: items of the arrays, of which there may be more
// than the segments have.
[[nodiscard]] PortCase make_segments_case(const Problem& problem, const std::vector<std::uint64_t>& offsets,
                                          std::uint64_t n, std::uint64_t seed);

// The same with gaps: segments and gaps lie between the offsets in turn, from a segment on. Of an odd number of offsets
// the last one is left out.
[[nodiscard]] PortCase make_pairs_case(const Problem& problem, std::vector<std::uint64_t> offsets, std::uint64_t n,
                                       std::uint64_t seed);

// The same of segments in any order; of a scan, no two may have an item in common.
struct SegmentPlace {
  std::uint64_t begin, end;
};
[[nodiscard]] PortCase make_unordered_case(const Problem& problem, const std::vector<SegmentPlace>& segments,
                                           std::uint64_t n, std::uint64_t seed);

// The segments and gaps of such offsets, in an order of the seed.
[[nodiscard]] std::vector<SegmentPlace> shuffled_segments(const std::vector<std::uint64_t>& offsets,
                                                          std::uint64_t seed);

// Lengths of segments of about n items in all, of a kind of its own for each seed: equal ones, many empty ones, one
// that is longer than all others together, random ones.
[[nodiscard]] std::vector<std::uint64_t> mixed_lengths(std::uint64_t n, std::uint64_t seed);

}  // namespace upsweep::test
