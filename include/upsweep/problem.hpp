/// @file
/// Problem: what is computed, independent of how it is computed.
#pragma once

#include <upsweep/export.hpp>

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <upsweep/axis.hpp>
#include <upsweep/rows.hpp>
#include <upsweep/segments.hpp>
#include <upsweep/types.hpp>

namespace UPSWEEP_API upsweep {

/// How many results a call has for each of its items, in classes. They stand for 0, 0.01, 0.125, 0.5, 0.99 and 1
/// results per item. Where neighbouring items make up runs, the results are the runs: the mean length of a run is the
/// reciprocal of the density, and 10^5 items for `none`.
enum class Density : std::uint8_t { unknown, none, few, some, half, most, all };

/// The class whose number of results per item is the nearest: below 0.005 `none`, from there `few`, from 0.0675 `some`,
/// from 0.3125 `half`, from 0.745 `most`, from 0.995 `all`.
/// @throws UsageError unless 0 <= results_per_item <= 1.
[[nodiscard]] Density density_class(double results_per_item);

/// How sums of floating-point numbers are kept. `kahan`, `neumaier` and `double_double` keep an error term beside each
/// sum, of f32 for f16 and bf16 and of the accumulator type otherwise, and round once for each result. `binned` gives
/// the same bits whatever the order of the items. Error bounds and costs are in docs/determinism.md, "Accuracy of
/// sums".
enum class Accuracy : std::uint8_t {
  plain,          ///< Every addition is rounded to the accumulator type.
  kahan,          ///< Kahan summation: the error term goes into the next item that is added.
  neumaier,       ///< Neumaier's (Kahan-Babuska) summation: the error terms are added up on their own.
  double_double,  ///< As neumaier, but sum and error term are normalised after every addition.
  binned  ///< Reproducible summation in bins. Only of reduces. Every config and every device gives the same bits.
};

/// How the items of a call are divided. Each part is scanned or reduced on its own.
enum class Shape : std::uint8_t {
  flat,     ///< All items are one sequence.
  rows,     ///< Rows of equal length, one behind the other: inclusive_scan, exclusive_scan and reduce take them.
  axis,     ///< Columns along an axis of a dense array that is not the last one. The same algorithms take it.
  segments  ///< Segments of any length, given by offsets. The same algorithms take them.
};

/// What is computed: algorithm, operator, types, and what is expected of size and results.
struct Problem {
  Algorithm algorithm = Algorithm::inclusive_scan;  ///< Scan, reduce, selection or other.
  Operator op = Operator::plus;                     ///< The associative operator, or the predicate of a selection.
  Type input = Type::i32;                           ///< Type of the input items.

  /// Type of the computation: the result of every application of the operator is rounded or wrapped to this type. Of a
  /// selection it is the type of the count: u32 or u64.
  Type accumulator = Type::i32;
  Type output = Type::i32;  ///< Type of the output items.

  /// Number of items that the caller expects. The size only decides which config is chosen. A plan runs any number of
  /// items.
  std::uint64_t size = std::uint64_t{1} << 24;

  /// Type of the keys or flags, for algorithms that have them, and of the offsets of segments, u32 or u64; otherwise
  /// empty.
  std::optional<Type> key{};

  /// Results per item that the caller expects. Like the size, it only decides which config is chosen. It is for
  /// algorithms whose number of results depends on the data: selections, partition, nonzero, unique, unique_by_key,
  /// run_length_encode, nontrivial_runs (at most 0.5), reduce_by_key; and for scans by key, where it is the number of
  /// runs per item.
  Density density = Density::unknown;

  /// How sums are kept, of scans and reduces of f16, bf16, f32 and f64 by `plus`: all other problems are `plain`. With
  /// another value, the result is the sum of all items in about twice the digits of the accumulator type (f16 and bf16:
  /// of f32), rounded. An infinite sum and a NaN are as in a plain sum; a sum that is zero is +0. `binned` is for
  /// reduces only.
  Accuracy accuracy = Accuracy::plain;

  Shape shape = Shape::flat;  ///< How the items are divided.

  /// Items per row or along the axis that the caller expects, or the mean of those per segment; 0 if the shape is
  /// `flat`. Like the size, it only decides which config is chosen: a plan runs rows, axes and segments of any length.
  /// Winners are kept by its size class.
  std::uint64_t row_length = 0;

  /// How many items neighbours along the axis are apart, as the caller expects; 0 unless the shape is `axis`. It only
  /// decides which config is chosen. Winners are kept by its size class, and by the largest power of two, up to 128,
  /// that divides the bytes of so many items. Of 2, 3 and 4 items, each is a class of its own, and 5 belong to the
  /// class of 8. A plan for one array with so few items behind the axis has a kernel for just these. Its first call
  /// with another number, or of several arrays, compiles another kernel, which all such calls use (Plan::prepare()).
  std::uint64_t inner = 0;

  /// How many items apart neighbouring rows begin, as the caller expects, where there may be gaps between them; 0 for
  /// rows without gaps. Of the shape `rows` only. A plan with a pitch runs rows with any pitches, and those without. It
  /// has the winners of rows without gaps, as far as their schedules take a pitch.
  std::uint64_t row_pitch = 0;

  /// Whether segments may come in any order, as those of unordered_segments() do; of the shape `segments` only. A plan
  /// of such a problem runs segments that ascend, too. It has the winners of these, as far as their schedules take
  /// segments in any order.
  bool unordered_segments = false;

  /// A total order, so that problems can be keys of a map.
  auto operator<=>(const Problem&) const = default;
};

/// A problem whose output type is its accumulator type, or, of a selection, its input type. Keys are of type u32 and
/// flags of type u8: set Problem::key for others.
/// @param algorithm,op,input,accumulator,size see the members of Problem.
[[nodiscard]] Problem make_problem(Algorithm algorithm, Operator op, Type input, Type accumulator,
                                   std::uint64_t size = std::uint64_t{1} << 24);

/// The same problem on each of `count` rows of `length` items.
/// @param problem of any shape, which is replaced. Its size becomes the number of items of all rows.
/// @param count,length number of rows, and of items per row.
/// @throws UsageError if count * length does not fit into 64 bits.
[[nodiscard]] Problem in_rows(Problem problem, std::uint64_t count, std::uint64_t length);

/// The same problem on these rows. If they have gaps, the plan is for rows with a pitch.
/// @param problem of any shape, which is replaced. Its size becomes the number of items of all rows, without gaps.
/// @param rows number of rows, items per row, and how far their begins are apart.
/// @throws UsageError if the number of items or of places does not fit into 64 bits, if a pitch is below the length of
/// the rows, or if the algorithm is a reduce and the output has a pitch of its own.
[[nodiscard]] Problem in_rows(Problem problem, const Rows& rows);

/// The same problem along an axis of a dense array. If axis.inner() is 1, it is
/// in_rows(problem, axis.outer(), axis.length()).
/// @param problem of any shape, which is replaced. Its size becomes the number of all items.
/// @param axis the extents of the array.
/// @throws UsageError if the number of items does not fit into 64 bits.
[[nodiscard]] Problem along_axis(Problem problem, const Axis& axis);

/// The same problem on each of `count` segments of `items` items.
/// @param problem of any shape, which is replaced. Its size becomes the number of items.
/// @param count,items number of segments, and of the items of all.
/// @param offset_type u32 or u64, the type of the offsets: also for signed ones of as many bits.
[[nodiscard]] Problem in_segments(Problem problem, std::uint64_t count, std::uint64_t items,
                                  Type offset_type = Type::u32);

/// The same problem on these segments. If they are unordered, so are those of the problem.
/// @param problem of any shape, which is replaced. Its size becomes the number of items.
/// @param segments their number, that of the items, and the type of the offsets. No address is read.
[[nodiscard]] Problem in_segments(Problem problem, const Segments& segments);

/// The problems for which tuning results are shipped: of scans and reduces, sums of every type, and minimum and maximum
/// of every type that is not complex. Input, accumulator and output have the same type.
[[nodiscard]] std::vector<Problem> built_in_problems();

/// Checks that the operator accepts the accumulator type and that no conversion loses information that the user would
/// expect to keep. The following are errors: floating-point input with an integer accumulator, a floating-point
/// accumulator with integer output, and any conversion from complex to real. Conversion from real to complex is
/// allowed: the imaginary part is 0. A density is an error where the number of results does not depend on the data. An
/// accuracy other than `plain` is an error but for scans and reduces by `plus` of floating-point numbers, and `binned`
/// is an error but for reduces. The shapes `rows`, `axis` and `segments` are errors but for inclusive_scan,
/// exclusive_scan and reduce with accuracy `plain`.
/// @throws UsageError with a message that says what to change.
void validate(const Problem& problem);

/// The problem without its size: "inclusive_scan plus i32", or "inclusive_scan plus i32 in i64 to f32" if the types
/// differ; "select_if less i32 in u64 to i32 at density 0.01" with a density; "reduce plus f32 (neumaier)" with an
/// accuracy; "reduce plus f32, rows of 64" with rows; "reduce
/// plus f32, rows of 64 with a pitch of 80" with gaps between them; "reduce plus f32, axis of 64 by 10" along an axis
/// of 64 items that are 10 items apart; "reduce plus f32 by u32, segments of 64" with segments whose offsets are u32.
[[nodiscard]] std::string to_string(const Problem& problem);

/// The size class of n items: the exponent of the power of two whose ratio to n is nearest to 1; 0 for n = 0 and n = 1.
/// Tuning results belong to a size class.
[[nodiscard]] int size_class(std::uint64_t n) noexcept;

/// The side of a size class: its power of two, or the sizes below or above it. Kernels that are the fastest for a power
/// of two, which tiles divide, are often not the fastest for the sizes next to it.
enum class SizeSide : std::int8_t { below = -1, at = 0, above = 1 };

/// The side of its size class that n items are on.
[[nodiscard]] SizeSide size_side(std::uint64_t n) noexcept;

}  // namespace upsweep
