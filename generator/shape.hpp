// The shape of a problem: how the items of a call are divided.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <upsweep/problem.hpp>

namespace upsweep {

// What messages and texts say of a shape.
struct ShapeWords {
  std::string_view name;      // "rows", "axis", "segments"; empty: flat
  std::string_view parts;     // what calls take: "rows", "an axis", "segments"
  std::string_view of_parts;  // of which there are sums: "of rows", "along an axis", "of segments"
  std::string_view call;      // the arguments of such a call
  std::string_view problem;   // how the problem of its plan is made
};
[[nodiscard]] const ShapeWords& words_of(Shape shape) noexcept;

// The name of a shape, with the lengths that stand for those of their classes: "rows of 64", "axis of 64 by 1024",
// "segments of 64"; empty: flat. Problems whose names are equal have the same winners.
[[nodiscard]] std::string shape_name(const Problem& problem);
// The inverse: sets the shape, and lengths of that class. Throws UsageError for another text.
void read_shape(Problem& problem, const std::string& text);

// The problem with the lengths that stand for those of their classes, as databases keep it. These are powers of two,
// but for the rows behind an axis: their length keeps its alignment, so that of those from 46 to 90 items of 4 bytes,
// 60 stands for those that are aligned to 16 bytes, and 63 for those that are aligned to 4.
[[nodiscard]] Problem with_length_of_class(Problem problem);

// The largest power of two, up to 128, that divides the bytes of a row behind the axis, as they are expected; 128 for
// other shapes.
[[nodiscard]] std::uint64_t row_alignment(const Problem& problem) noexcept;
// The size class of the items behind an axis. Those up to 4 are classes of their own: 5 belongs to 8, and not to 4
// with 3.
[[nodiscard]] int inner_class(std::uint64_t inner) noexcept;
// How many items are behind the axis, where the problem's class says so: 2 to 4 items; otherwise 0.
[[nodiscard]] std::uint64_t exact_inner(const Problem& problem) noexcept;
// Whether the items of the problem are fewer than those of two arrays of its extents.
[[nodiscard]] bool has_one_array(const Problem& problem) noexcept;
// Whether these rows are no whole vectors of 16 bytes.
[[nodiscard]] bool has_uneven_rows(const Problem& problem) noexcept;

// Of a shape that is not `flat`: the same with the size that stands for those of its class, too. A plan is for all
// lengths and sizes of its classes, whichever comes first. So defaults are made for this problem.
[[nodiscard]] Problem of_classes(Problem problem);

// Whether two problems have one shape, lengths of one class, and rows of one alignment behind the axis.
[[nodiscard]] bool same_shape(const Problem& a, const Problem& b) noexcept;

// By how many classes the lengths of rows, or of axes and what is behind them, differ; 0 where neither problem has any.
[[nodiscard]] int row_length_distance(const Problem& a, const Problem& b) noexcept;

// The same of all that the arrays of two problems of one shape are made of: their lengths, and how many rows, parts of
// an array or segments there are. 0 if the shape is `flat`.
[[nodiscard]] int extent_distance(const Problem& a, const Problem& b) noexcept;

// Throws UsageError unless the algorithm has the problem's shape.
void validate_shape(const Problem& problem);

// Whether there may be gaps between rows.
[[nodiscard]] inline bool has_pitch(const Problem& problem) noexcept {
  return problem.row_pitch != 0;
}

// The problem of rows of its length that begin so many items apart. Throws UsageError for a pitch below that length.
[[nodiscard]] Problem with_pitch(Problem problem, std::uint64_t pitch);

// How many items an array has room for that holds such rows with a pitch, without a gap behind the last one.
[[nodiscard]] std::uint64_t places_of(std::uint64_t rows, std::uint64_t length, std::uint64_t pitch) noexcept;

// How many rows n items of the problem are, each as long as is expected, and fewer items than that one shorter row; 0
// if the shape is `flat`. Items behind the last whole row are left over. Of an axis, how many columns: in as many whole
// parts of length x inner items as there are, and fewer items than that are a shorter axis, or of fewer columns
// where there are no 64 rows of all. Segments are as many as are enough for all items at the length that is expected.
[[nodiscard]] std::uint64_t rows_of(const Problem& problem, std::uint64_t n) noexcept;
// How long these are.
[[nodiscard]] std::uint64_t length_of_rows(const Problem& problem, std::uint64_t n) noexcept;
// How far neighbours along the axis are apart; 0 unless the shape is `axis`.
[[nodiscard]] std::uint64_t inner_of(const Problem& problem, std::uint64_t n) noexcept;
// Of n items, those that are left over only by an axis do not belong to the call.
[[nodiscard]] std::uint64_t whole_items(const Problem& problem, std::uint64_t n) noexcept;
// Items of a row, or of one part of the array that has all of the axis: the fewest that are not shortened; 0 for other
// shapes.
[[nodiscard]] std::uint64_t least_items(const Problem& problem) noexcept;
// What has so many items: "a row of 64", "an axis of 64 by 10".
[[nodiscard]] std::string least_part(const Problem& problem);

}  // namespace upsweep
