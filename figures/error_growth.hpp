// Rounding errors of f32 sums: how they are measured.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <upsweep/problem.hpp>

#include "figures/figure.hpp"

namespace upsweep::figures {

// The sum without rounding errors, rounded to f64: all of it is kept as an expansion of f64 numbers, in order, by plain
// sequential code (Shewchuk, "Adaptive Precision Floating-Point Arithmetic", 1997, section 2.4).
[[nodiscard]] double exact_sum(std::span<const float> items);

// How sums are computed on the device.
struct Summation {
  std::string_view label;
  Accuracy accuracy;
  bool is_sequential = false;  // by the schedule sequential; else as upsweep chooses
};
[[nodiscard]] std::span<const Summation> summations();

// positive, mixed: uniform from 0 to 1, and from -1 to 1. cancelling: pairs of x and -x with magnitudes from 2^-13 to
// 2^13 in random order, and two positive items that make the condition number about 10^6.
enum class Items : std::uint8_t { positive, mixed, cancelling };
[[nodiscard]] std::span<const Items> all_items();
// The same on every machine. The count is even and above 2.
[[nodiscard]] std::vector<float> random_items(Items items, std::uint64_t count, std::uint32_t seed);

struct ErrorCell {
  std::uint64_t size = 0;
  int draws = 0;
  double condition = 1;        // sum of magnitudes / magnitude of the sum, the greatest of the draws
  std::vector<double> errors;  // by summations(): |sum - exact| / (2^-24 |exact|), root mean square of the draws
};

// The error of each of summations() on the device, over so many sets of random items.
[[nodiscard]] ErrorCell measure_errors(runtime::Engine& engine, Items kind, std::uint64_t size, int draws);

// A chart and a table for each of all_items(), whose cells stand in the same order.
[[nodiscard]] Drawing error_drawing(std::span<const std::vector<ErrorCell>> cells);

}  // namespace upsweep::figures
