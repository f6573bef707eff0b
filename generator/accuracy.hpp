// How sums of floating-point numbers are kept: names, and what problems may have an accuracy other than plain.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <upsweep/problem.hpp>

namespace upsweep {

[[nodiscard]] std::span<const Accuracy> all_accuracies() noexcept;

// "plain", "kahan", "neumaier" or "double_double".
[[nodiscard]] std::string_view name(Accuracy accuracy) noexcept;
// The inverse. Throws UsageError for other texts.
[[nodiscard]] Accuracy parse_accuracy(std::string_view text);

// Whether an error term is kept beside each sum: what items combine to is then a Compensated of
// templates/value/compensated.cuh, of two numbers.
[[nodiscard]] inline bool is_compensated(const Problem& problem) noexcept {
  return problem.accuracy != Accuracy::plain;
}

// The type of such a sum and of its error term: f32 for accumulators of 16 bits, the accumulator type for others.
[[nodiscard]] Type compensated_part(const Problem& problem) noexcept;

// Bytes of a value that the operator combines: of an accumulator, or of a sum with its error term.
[[nodiscard]] std::size_t value_size(const Problem& problem) noexcept;

// Throws UsageError where the problem has no such sums, but an accuracy other than plain.
void validate_accuracy(const Problem& problem);

}  // namespace upsweep
