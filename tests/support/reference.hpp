// What the result of a built-in operator must be, computed one item after the other on the host, and how far a device's
// may lie from it. It shares nothing with the kernels, so it tells whether the sequential one is right too.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <upsweep/problem.hpp>
#include <upsweep/scalar.hpp>

#include "generator/algorithm.hpp"
#include "tests/support/arithmetic.hpp"
#include "tuner/verify/expected_results.hpp"

namespace upsweep::test {

using tuner::Bytes;
using tuner::Mismatch;

// The results for the first n items of one input, for every n up to its length: those of a scan of fewer items are the
// first of a longer one's, and a reduce's are kept for every n.
//
// Integers and operators that are exact in any association must match to the bit; any NaN stands for any other.
// Floating plus and multiplies must match exactly too where no association of the items in their order rounds:
//   plus: all items are integers, and no sum of neighbouring ones (of a reduce, which may take them in any order: no
//   sum of any) exceeds 2^digits;
//   multiplies: all items are powers of two, and no such product leaves the normal range.
// Elsewhere the result of k operations may differ by min(k, 8 sqrt(k)) u sum|x_i|, where u = 2^-digits is the unit
// roundoff of the accumulator; a product by min(k, 8 sqrt(k)) u |product|. k u sum|x_i| bounds the error of every order
// of summation to first order in u, and sqrt(k) in its place is what rounding errors of random signs add up to (Higham,
// Accuracy and Stability of Numerical Algorithms, 2nd ed., section 4.2 and its rule of thumb; for products, lemma 3.1):
// 8 of these, for a kernel's chain of operations is much shorter than k, and a lost item shows.
// Complex sums are two sums, one a part. A complex product does not round if each item is a power of two on one of the
// axes; elsewhere each of its parts may differ sqrt(5) times as far (Brent, Percival and Zimmermann, Error bounds on
// complex floating-point multiplication, 2007), and with infinities or NaNs among the items nothing is said of it.
class Reference {
 public:
  // `in`: items of the problem's input type. `initial`, of the accumulator type, is ignored by an inclusive scan.
  Reference(const Problem& problem, std::span<const std::byte> in, const Scalar& initial);

  // The output for the first n items.
  [[nodiscard]] std::span<const std::byte> output(std::uint64_t n) const;

  // Checks the output of a call for the first n items; none: it is right. Throws UsageError if `got` holds fewer items
  // than the call has to write, or n exceeds their number.
  [[nodiscard]] std::optional<Mismatch> compare(std::uint64_t n, std::span<const std::byte> got) const;

 private:
  void fold_exactly(std::span<const std::byte> in, Number running);
  void fold_with_tolerance(std::span<const std::byte> in, Number initial);
  [[nodiscard]] bool agrees(std::uint64_t entry, const std::byte* got) const;
  [[nodiscard]] bool part_agrees(std::uint64_t entry, std::size_t part, double want, double have) const;
  [[nodiscard]] std::size_t parts() const noexcept { return is_complex(problem_.output) ? 2 : 1; }
  [[nodiscard]] bool has_initial() const noexcept { return entry_of(problem_).has_initial; }
  [[nodiscard]] std::size_t item_bytes() const noexcept { return size_of(problem_.output); }

  Problem problem_;
  std::uint64_t items_ = 0;
  Bytes values_;                   // one a prefix, of the output type; a reduce has one more, of nothing
  std::vector<double> tolerance_;  // one a part of a value; empty if all must match exactly
};

}  // namespace upsweep::test
