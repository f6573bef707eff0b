// Sums with an error term, checked against sums without rounding, on the host device and on GPUs alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <upsweep/plan.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/scalar.hpp>

#include "runtime/device.hpp"

namespace upsweep::test {

// A sum without rounding: numbers of which none has a digit where another has one (Shewchuk, "Adaptive Precision
// Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997, GROW-EXPANSION).
class ExactSum {
 public:
  void add(double value);
  // The sum, rounded.
  [[nodiscard]] double value() const;
  // How far the sum is from a number, rounded.
  [[nodiscard]] double distance(double from) const;

 private:
  std::vector<double> parts_;  // rising
};

// n items of the type of either sign and very different magnitudes: from 2^-range to 2^range; 0: what suits the type.
// The second half cancels the first but for a little.
[[nodiscard]] std::vector<std::byte> cancelling_items(Type type, std::uint64_t n, std::uint64_t seed, int range = 0);

// How far a result of `problem` may be from the exact sum: docs/determinism.md, "Accuracy of sums". `depth`: additions
// that an item goes through at most; `magnitudes`: the sum of the items' magnitudes.
[[nodiscard]] double error_bound(const Problem& problem, double exact, double magnitudes, double depth);

// Runs the plan on the first n items and compares with the bound of `problem`; also that nothing beyond the output was
// written. Empty: all results are within the bound.
[[nodiscard]] std::optional<std::string> sum_and_compare(runtime::Device& device, const Plan& plan,
                                                         const Problem& problem, const std::vector<std::byte>& items,
                                                         std::uint64_t n, double initial, double depth);

// The results of the plan, as doubles.
[[nodiscard]] std::vector<double> sums_of(runtime::Device& device, const Plan& plan,
                                          const std::vector<std::byte>& items, std::uint64_t n, const Scalar& initial);

}  // namespace upsweep::test
