// The shape of a problem: how the items of a call are divided.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <upsweep/problem.hpp>

namespace upsweep {

// The name of a shape and of the classes of its lengths: "rows of 64", "axis of 64 by 1024"; empty: flat. Problems
// whose names are equal have the same winners.
[[nodiscard]] std::string_view shape_name(const Problem& problem) noexcept;
// The inverse: sets the shape, and lengths of that class. Throws UsageError for another text.
void read_shape(Problem& problem, const std::string& text);

// The problem with the length that stands for those of its class, as databases keep it.
[[nodiscard]] Problem with_length_of_class(Problem problem);

// Whether two problems have one shape, and lengths of one class.
[[nodiscard]] bool same_shape(const Problem& a, const Problem& b) noexcept;

// By how many classes the lengths of rows, or of axes and what is behind them, differ; 0 where neither problem has any.
[[nodiscard]] int row_length_distance(const Problem& a, const Problem& b) noexcept;

// Throws UsageError unless the algorithm has the problem's shape.
void validate_shape(const Problem& problem);

// How many rows n items of the problem are, each as long as is expected, and fewer items than that one shorter row; 0
// for the shape `flat`. Items behind the last whole row are left over. Of an axis, how many columns: in as many whole
// parts of length x inner items as there are, and fewer items than that are a shorter axis, or of fewer columns
// where there are no 64 rows of all.
[[nodiscard]] std::uint64_t rows_of(const Problem& problem, std::uint64_t n) noexcept;
// How long these are.
[[nodiscard]] std::uint64_t length_of_rows(const Problem& problem, std::uint64_t n) noexcept;
// How far neighbours along the axis are apart; 0 unless the shape is `axis`.
[[nodiscard]] std::uint64_t inner_of(const Problem& problem, std::uint64_t n) noexcept;
// Of n items, those that are left over only by an axis do not belong to the call.
[[nodiscard]] std::uint64_t whole_items(const Problem& problem, std::uint64_t n) noexcept;
// Items of a row, or of one part of the array that has all of the axis: the fewest that are not shortened.
[[nodiscard]] std::uint64_t least_items(const Problem& problem) noexcept;

}  // namespace upsweep
