// The shape of a problem: how the items of a call are divided.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <upsweep/problem.hpp>

namespace upsweep {

// The name of a shape and of the class of its lengths: "rows of 64"; empty: flat. Problems whose names are equal have
// the same winners.
[[nodiscard]] std::string_view shape_name(const Problem& problem) noexcept;
// The inverse: sets the shape, and lengths of that class. Throws UsageError for another text.
void read_shape(Problem& problem, const std::string& text);

// The problem with the length that stands for those of its class, as databases keep it.
[[nodiscard]] Problem with_length_of_class(Problem problem);

// Whether two problems have one shape, and lengths of one class.
[[nodiscard]] bool same_shape(const Problem& a, const Problem& b) noexcept;

// By how many classes the lengths of rows differ; 0 where neither problem has rows.
[[nodiscard]] int row_length_distance(const Problem& a, const Problem& b) noexcept;

// Throws UsageError unless the algorithm has the problem's shape.
void validate_shape(const Problem& problem);

// How many rows n items of the problem are, each as long as is expected, and fewer items than that one shorter row; 0
// if the shape is `flat`. Items behind the last whole row are left over. Segments are as many as are enough for all
// items at the length that is expected.
[[nodiscard]] std::uint64_t rows_of(const Problem& problem, std::uint64_t n) noexcept;
// How long these are.
[[nodiscard]] std::uint64_t length_of_rows(const Problem& problem, std::uint64_t n) noexcept;

}  // namespace upsweep
