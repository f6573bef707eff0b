// How sums of floating-point numbers are kept: names, and what problems may have an accuracy other than plain.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <upsweep/problem.hpp>

namespace upsweep {

[[nodiscard]] std::span<const Accuracy> all_accuracies() noexcept;

// "plain", "kahan", "neumaier", "double_double" or "binned".
[[nodiscard]] std::string_view name(Accuracy accuracy) noexcept;
// The inverse. Throws UsageError for other texts.
[[nodiscard]] Accuracy parse_accuracy(std::string_view text);

// Whether sums are kept in bins: what items combine to is then a Binned of templates/value/binned.cuh.
[[nodiscard]] inline bool is_binned(const Problem& problem) noexcept {
  return problem.accuracy == Accuracy::binned;
}

// Whether an error term is kept beside each sum: what items combine to is then a Compensated of
// templates/value/compensated.cuh, of two numbers.
[[nodiscard]] inline bool is_compensated(const Problem& problem) noexcept {
  return problem.accuracy != Accuracy::plain && !is_binned(problem);
}

// The type of the numbers that sums other than plain ones are made of, and rounded to: f32 for accumulators of 16 bits,
// the accumulator type for others.
[[nodiscard]] Type part_of_sum(const Problem& problem) noexcept;

// The bins of a sum: arguments of the template Binned.
struct BinnedFormat {
  int bins = 0;
  int first_exponent = 0;  // items are multiples of 2^first_exponent
  int end_exponent = 0;    // the magnitudes of items are below 2^end_exponent
};
[[nodiscard]] BinnedFormat binned_format(const Problem& problem) noexcept;

// What the sources of a problem whose accuracy is not plain write for the type that items combine to, and the template
// that has it.
struct SumType {
  std::string spelling;
  std::string file;
};
[[nodiscard]] SumType sum_type(const Problem& problem);

// Bytes of a value that the operator combines, and what they are aligned to: of an accumulator, of a sum with its error
// term, or of a sum in bins.
[[nodiscard]] std::size_t value_size(const Problem& problem) noexcept;
[[nodiscard]] std::size_t value_alignment(const Problem& problem) noexcept;

// Throws UsageError where the problem has an accuracy other than plain, but no such sums.
void validate_accuracy(const Problem& problem);

}  // namespace upsweep
