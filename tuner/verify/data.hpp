// Test data that shows errors: an item lost, taken twice or out of order changes what comes after it.
#pragma once

#include <cstdint>
#include <vector>

#include <upsweep/problem.hpp>
#include <upsweep/scalar.hpp>

#include "tuner/verify/number.hpp"

namespace upsweep::tuner {

// What a call reads.
struct CallData {
  std::uint64_t items = 0;      // n
  std::vector<Bytes> inputs;    // of each array that is read, in the order of ports(): its items
  std::vector<Scalar> scalars;  // in the order of scalars()
};

// The same for the same arguments everywhere. What the items of an array are like, its algorithm's entry says, or else
// the operator's: see make_data. Where the problem has a density, the array that decides on results is that of
// make_density_items (tuner/verify/density_data.hpp). The initial value is that of make_initial.
[[nodiscard]] CallData make_call_data(const Problem& problem, std::uint64_t n, std::uint64_t seed);

// The scalars of make_call_data.
[[nodiscard]] std::vector<Scalar> make_scalars(const Problem& problem, std::uint64_t seed);

// The same for timed calls: their initial value is the identity, if the operator has one.
[[nodiscard]] std::vector<Scalar> make_timed_scalars(const Problem& problem, std::uint64_t seed);

// Items of the problem's input type, as the operator's test data say. No result is an infinity or a NaN if the
// accumulator floats.
//   integer plus and bit_xor: any bits; multiplies: odd, so that no product is zero; affine: odd slopes.
//   bit_and, bit_or: single bits, rarer and rarer, so that results change to the end.
//   minimum, maximum: records now and then and lesser items between them (of a reduce: anything).
//   last_nonzero: zeros, and an item in 32 that is none.
//   floating plus and multiplies: integers, or powers of two, of which no partial result rounds: of a scan steps
//   between random bounded results; otherwise, a random walk that is as long as the types can hold; complex
//   ones have both in both parts, and factors on both axes.
//   sums with an error term: those of tuner/verify/compensated_data.hpp, of which a plain sum rounds.
//   what is selected from: anything; of floating types integers of either sign, in both parts of complex ones.
//   keys: runs of equal values, the neighbours of which are different.
[[nodiscard]] Bytes make_data(const Problem& problem, std::uint64_t n, std::uint64_t seed);

// An initial value that is not the identity and goes with make_data of the same problem.
[[nodiscard]] Scalar make_initial(const Problem& problem, std::uint64_t seed);

}  // namespace upsweep::tuner
