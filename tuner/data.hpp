// Test data that shows errors: an item lost, taken twice or out of order changes what comes after it.
#pragma once

#include <cstdint>

#include <upsweep/problem.hpp>
#include <upsweep/scalar.hpp>

#include "tuner/number.hpp"

namespace upsweep::tuner {

// Items of the problem's input type; the same for the same arguments everywhere. No result is an infinity or a NaN if
// the accumulator floats.
//   integer plus and bit_xor: any bits; multiplies: odd, so that no product is zero; affine: odd slopes.
//   bit_and, bit_or: single bits, rarer and rarer, so that results change to the end.
//   minimum, maximum: records now and then and lesser items between them (of a reduce: anything).
//   last_nonzero: zeros, and an item in 32 that is none.
//   floating plus and multiplies: integers, or powers of two, of which no partial result rounds: of a scan steps
//   between random bounded results, of a reduce a random walk that is as long as the types can hold; complex
//   ones have both in both parts, and factors on both axes.
[[nodiscard]] Bytes make_data(const Problem& problem, std::uint64_t n, std::uint64_t seed);

// An initial value that is not the identity and goes with make_data of the same problem.
[[nodiscard]] Scalar make_initial(const Problem& problem, std::uint64_t seed);

}  // namespace upsweep::tuner
