// Test data of problems of segments: where they begin and end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <upsweep/port.hpp>
#include <upsweep/problem.hpp>

#include "tuner/verify/number.hpp"

namespace upsweep::tuner {

// How the lengths of segments are distributed about their mean.
enum class LengthDistribution : std::uint8_t {
  mixed,       // many lengths, a quarter of them 0, and a few of 16 means
  awkward,     // the same from an item above 0 on, and half of the segments are empty and lie at one item
  equal,       // the mean
  uniform,     // from 0 to two means
  power_law,   // Pareto, exponent 1: P(length > x) is proportional to 1 / x
  one_giant,   // one has two thirds of all items, and the others are equal
  empty_half,  // half of them are 0 and lie at one item; the others are of two means
};

[[nodiscard]] std::string_view name(LengthDistribution distribution) noexcept;  // "power_law"
// Throws UsageError naming the known ones.
[[nodiscard]] LengthDistribution parse_length_distribution(std::string_view text);
[[nodiscard]] std::span<const LengthDistribution> all_length_distributions() noexcept;

// Offsets of segments of many lengths, whose mean is the problem's: of a call of n items. No offset is above n.
// `mixed` and `awkward`: the first m segments have at least m times the mean. So the segments that rows_of() counts of
// a call of fewer items reach the last of these, and offsets_of_call() makes them end there.
[[nodiscard]] Bytes make_offsets(const Problem& problem, const Port& port, std::uint64_t n, std::uint64_t seed,
                                 LengthDistribution distribution = LengthDistribution::mixed);

// The offsets that a call of n items reads, of those that make_offsets() made for more items: none is above n.
[[nodiscard]] Bytes offsets_of_call(const Problem& problem, const Port& port, std::span<const std::byte> offsets,
                                    std::uint64_t n);

// Patterns of the arrays that a call of problem.size items reads, of so many items. Offsets are no pattern: there are
// as many as the call reads.
[[nodiscard]] std::vector<Bytes> make_patterns(const Problem& problem, std::uint64_t items, std::uint64_t seed,
                                               LengthDistribution distribution = LengthDistribution::mixed);

}  // namespace upsweep::tuner
