#include "generator/shape_defaults.hpp"

#include <algorithm>
#include <cstdint>

#include "generator/algorithm.hpp"
#include "generator/bytes.hpp"
#include "generator/device_limits.hpp"
#include "generator/schedule.hpp"
#include "generator/shape.hpp"
#include "generator/value_type.hpp"

namespace upsweep {
namespace {

// Whether a tile of the schedule axis_lookahead has rows of several axes, and these are so narrow that neighbouring
// threads of other schedules load pieces of a few bytes, or begin within sectors of 32 bytes. 2^26 items of f32 along
// axes of 16, 64 and 256 x 3 take 141 to 144 us so, and along those of 16, 64 and 256 x 67 141 to 153 us; by the other
// schedules 330 to 1,033 us, and 242 to 274 us. Where rows are whole sectors, they take 3% longer than by a thread for
// each column. Items of 1 and 2 bytes are worth it in narrower rows (H200, driver 580.159.04, 2026-11-26), or in uneven
// ones: as many items of i8 and f16 along axes of 64 x 67 take 61 and 101 us so, and 169 and 209 us by a thread for
// each column (H100, 2026-11-27). As many of f32 along axes of 1,024 x 33, 50 and 67 take 196, 198 and 199 us so, and
// by axis_panels 212, 201 and 204 us (H100, 2026-11-28).
bool has_narrow_short_axes(const Problem& problem) {
  constexpr std::uint64_t most_very_narrow = 11;
  const bool is_very_narrow = problem.inner <= most_very_narrow, is_uneven = has_uneven_rows(problem);
  const std::size_t item = size_of(problem.input);
  const std::uint64_t few_bytes = (is_very_narrow ? 4 << 20 : 16 << 20) * (is_uneven && item >= 4 ? 2 : 1);
  const bool is_uneven_and_wider = is_uneven && item == 4 && problem.inner > 16;
  const std::uint64_t short_axis = is_very_narrow ? 2048 : is_uneven_and_wider ? 1024 : 512;
  const std::uint64_t narrow = item >= 4 ? 256 : is_uneven ? 64 * item : item == 2 ? 64 : 8;
  return bytes_of(problem.inner, problem.input) <= narrow && problem.row_length <= short_axis &&
         bytes_of(problem.size, problem.input) >= few_bytes;
}

// Whether narrow rows are those of long axes, whose tiles follow each other in few chains. By the schedules
// axis_lookahead and axis_panels, 2^26 items of f32 along an axis of 2^22 x 16 take 197 and 218 us, half as many of f64
// along axes of 2^16 x 16 198 and 232 us, and 2^22 of f32 along axes of 2^20 x 4 19.6 and 26 us. Several axes of
// 2^16 x 64 take 1% longer. Items of 1 and 2 bytes take more instructions per byte: 2^26 of i8 along an axis of 2^24 x
// 4 take 67 and 75 us, but along 256 axes of 2^16 x 4 64 and 57 us; of rows that do not fill vectors, as many of f16
// and i8 along axes of 2^16 x 67 117 and 71 us, and 125 and 76 us, and of i8 along axes of 2^16 x 33 64 and 76 us
// (H100, driver 580.159.04, 2026-11-28).
bool has_narrow_long_axes(const Problem& problem) {
  constexpr std::uint64_t long_axis = 1 << 15, narrow = 256, few_axes = 4, few_small_items = 4;
  const std::uint64_t few_bytes = has_uneven_rows(problem) ? 32 << 20 : 16 << 20;
  const std::uint64_t least_uneven_items = size_of(problem.input) == 1 ? 24 : 32;
  const std::uint64_t axes = rows_of(problem, problem.size) / std::max<std::uint64_t>(problem.inner, 1);
  const bool has_small_items = size_of(problem.input) < 4;
  const bool is_measured = !has_small_items || (axes <= few_axes && problem.inner <= few_small_items) ||
                           (has_uneven_rows(problem) && problem.inner >= least_uneven_items);
  return bytes_of(problem.inner, problem.input) <= narrow && problem.row_length >= long_axis &&
         bytes_of(problem.size, problem.input) >= few_bytes && is_measured;
}

// Whether blocks that scan whole columns alone have all rows at a time, or half of them, as vectors. 2^26 items of f32
// along axes of 16 to 256 x 16 take 182 to 184 us so and 187 us by axis_lookahead, 16, 64 and 256 x 1000 183, 182 and
// 188 us and by axis_columns 198, 202 and 220 us, and 1024 x 1000 191 us and by axis_panels 208 us; along 1024 x 16
// they take 1% longer, and along 64 x 4 5%. 2^22 items along 16 to 1024 x 16 take 13 to 15 us, otherwise 16 to 20 us.
// Items of 1 and 2 bytes take more instructions per byte, and 2^25 of f64 are as fast along axes of 256 rows otherwise
// (H100, driver 580.159.04, 2026-11-27).
bool has_short_even_axes(const Problem& problem) {
  constexpr std::uint64_t short_axis_of_wide_items = 64;
  const std::size_t size = size_of(problem.input);
  if (size < 4 || (size > 4 && problem.row_length > short_axis_of_wide_items)) return false;
  constexpr std::uint64_t short_axis = 512, longest_axis = 1024, less_narrow = 192, many_bytes = 64 << 20;
  // 48 and 192 are the least multiples of 16 that stand for a class of 64 and of 256 bytes (of_classes). 2^26 of f32
  // along axes of 16, 64 and 256 x 20 take 203, 213 and 228 us so and 184, 185 and 185 us by axis_lookahead, and 2^25
  // of f64 along 64 x 10 227 and 185 us (H100, 2026-11-28).
  const std::uint64_t narrow = bytes_of(problem.size, problem.input) >= many_bytes ? 64 : 48;
  const std::uint64_t row = bytes_of(problem.inner, problem.input);
  return !has_uneven_rows(problem) && ((row >= narrow && problem.row_length <= short_axis) ||
                                       (row >= less_narrow && problem.row_length <= longest_axis));
}

// The schedule of rows that fill vectors of 16 bytes but begin within lines of 128 bytes, or null. 2^26 items of f32
// take so long (us) in blocks, by axis_panels and by axis_lookahead (H100, driver 580.159.04, 2026-11-28):
//            16             32             64             128            256            512            1,024 rows
//   x 36     198, 211, 192  202, 187, 193  210, 189, 194  220, 191, 193  223, 188, 194  311, 207, 194  ---, 196, 193
//   x 48     194, 210, 193  198, 187, 193  201, 188, 194  202, 191, 195  206, 190, 194  225, 196, 195  186, 197, 196
//   x 72     195, 212, 196  199, 190, 198  203, 197, 199  206, 200, 199  215, 208, 200  226, 218, 198  188, 230, 197
//   x 100    197, 235, 198  201, 186, 200  210, 187, 201  220, 189, 201  231, 197, 201  264, 201, 199  270, 202, 200
//   x 136    195, 213, 304  199, 191, 304  203, 197, 307  206, 203, 306  214, 207, 303  225, 218, 303  188, 230, 305
//   x 200    196, 212, 235  199, 190, 235  204, 196, 249  206, 199, 247  214, 202, 248  226, 213, 247  188, 221, 245
// (---: not measured.) Classes of columns have one default: that of 46 to 90 columns is best for 72. In rows of 300,
// blocks take 208 and 255 us along axes of 64 and 1,024, and panels 216 and 308 us.
const char* default_of_unaligned_rows(const Problem& problem, bool has_lookahead) {
  constexpr std::uint64_t line = 128, sector = 32, many_bytes = 64 << 20, least_columns = 24;
  constexpr std::uint64_t most_columns = 256, narrow = 64, some_columns = 128;
  const std::uint64_t alignment = row_alignment(problem), rows = problem.row_length, columns = problem.inner;
  const bool is_measured = size_of(problem.input) == 4 && bytes_of(problem.size, problem.input) >= many_bytes &&
                           columns >= least_columns && columns <= most_columns;
  if (!is_measured || has_uneven_rows(problem) || alignment >= line) return nullptr;
  const bool begins_within_sectors = alignment < sector;
  if (begins_within_sectors && columns > some_columns) return nullptr;
  const std::uint64_t few_rows = begins_within_sectors ? 256 : 128, most_rows = begins_within_sectors ? 1024 : 512;
  if (rows < 32 || rows > most_rows) return nullptr;
  return rows > few_rows && columns <= narrow && has_lookahead ? "axis_lookahead" : "axis_panels";
}

// Some more items than few, in rows of whole vectors. Arrays of 8 and 16 MiB take so long (us) in blocks, and by the
// faster one of axis_panels and axis_lookahead (H100, driver 580.159.04, 2026-11-28):
//             64 x 64      1,024 x 64    256 x 16     512 x 1,024
//   f32  8  8.9, 13.1    10.3, 13.7    7.9, 13.7     8.9, 17.1
//   f32 16 14.3, 17.7    17.7, 18.8   14.1, 17.7    16.6, 22.7
//   i64  8  6.8, 12.8     9.0, 14.2    8.7, 13.5    10.3, 15.0
//   i64 16 15.2, 18.3    20.5, 20.5   15.8, 17.7    19.7, 21.9
bool has_some_even_axes(const Problem& problem) {
  constexpr std::uint64_t some_bytes = 16 << 20, least_row_bytes = 64, few_rows = 1 << 10;
  const std::size_t item = size_of(problem.input);
  return (item == 4 || item == 8) && !has_uneven_rows(problem) && problem.row_length <= few_rows &&
         bytes_of(problem.inner, problem.input) >= least_row_bytes &&
         bytes_of(problem.size, problem.input) <= some_bytes;
}

// Whether a thread for each column, or for a few neighbouring ones, scans fastest in a fast memory: axes are short, and
// there are enough columns for all multiprocessors. Such threads execute fewer instructions than axis_blocks, which
// scans about 3 TB/s. Items take so long (us) by axis_columns, axis_blocks and axis_panels, where they were measured
// (H200, driver 580.159.04, 2026-11-28):
//                     columns  blocks  panels                        columns  blocks  panels
//   f32 2^22   16 x 64  10.1    12.1                i64 2^22   16 x 64  18.8    27.0
//   f32 2^22   64 x 64  13.4    12.8                i64 2^22   64 x 64  19.1    28.1
//   f32 2^22  256 x 64  29.6    13.5                i64 2^22  256 x 64  32.3            25.4
//   f32 2^24   64 x 64  36.7    49.0                i64 2^25   64 x 64   138     208
//   f32 2^24  256 x 64  45.9    52.4    39.3        i64 2^25  256 x 64   142             141
//   f32 2^26   64 x 64   137     172     140        f32 2^26    4 x 2^24  136     157
//   f32 2^26  256 x 64   140     186     139        f32 2^26   64 x 2^20  140     173
//   f32 2^26  512 x 64   149     196     141        f32 2^26  256 x 2^18  135     200
//   f32 2^26 1024 x 64   170     174     143        f32 2^26  512 x 1024  141     197     141
bool suits_columns_of_fast_memory(const Problem& problem, const DeviceLimits& limits) {
  constexpr std::uint64_t short_axis = 256, very_short_axis = 16, two_sectors = 64, least_unaligned_row = 96;
  if (!has_even_axes_in_fast_memory(problem, limits) || problem.row_length > short_axis) return false;
  // Rows of 20 items of f32 take 146 to 171 us so and 137 to 139 us otherwise, and along axes of 64 and 256 rows of 36
  // 157 and 165 us, and 139 and 138 us; along axes of 4 and 16 they take 144 and 145 us, and 166 and 173 us.
  const bool suits_unaligned =
      problem.row_length <= very_short_axis && bytes_of(problem.inner, problem.input) >= least_unaligned_row;
  if (row_alignment(problem) < two_sectors && !suits_unaligned) return false;
  return vectors_of_columns(problem, 8) >= threads_for_columns(limits);
}

// Whether longer axes, or fewer columns, are scanned fastest in panels. Where rows do not begin at multiples of 64
// bytes, only wide ones are: 2^26 items of f32 along axes of 64, 256 and 1,024 x 1000 take 144, 146 and 157 us so, and
// 183, 195 and 166 us in blocks, but along 1,024 x 200 169 and 159 us.
bool suits_panels_of_fast_memory(const Problem& problem, const DeviceLimits& limits) {
  constexpr std::uint64_t least_rows = 48, many_bytes = 64 << 20, two_sectors = 64, wide = 256;
  return has_even_axes_in_fast_memory(problem, limits) && problem.row_length >= least_rows &&
         (row_alignment(problem) >= two_sectors || problem.inner > wide) &&
         bytes_of(problem.size, problem.input) >= many_bytes;
}

// Whether blocks whose warps load, scan and store are fastest. They store whole sectors of 32 bytes of rows that begin
// anywhere within one, which other schedules cannot do. Rows that begin at multiples of 16 or 32 bytes count, too,
// unless they are narrow: they are at most 4% slower so than by other schedules, and often faster. 2^28 bytes of items
// take so long (us) by the default before, and by axis_pipeline (H200, driver 580.159.04, 2026-11-28). Of f32 along
// axes of 16 rows, it is up to 5% slower than the default before, which is gone:
//                       f32         f16         i8                           f32         f16         i8
//    3 x 22,369,621  160, 138                399, 138      256 x 203      196, 142    219, 145    352, 148
//   67 x 1,000,003   151, 143    194, 142    272, 142    1,000 x 203      219, 161    293, 151    358, 166
//   64 x 33          151, 141    153, 146    182, 160       64 x 1,001    153, 142    187, 142    265, 143
//   64 x 67          155, 142    156, 142    217, 145    1,000 x 1,001    210, 153    267, 192    319, 200
//  256 x 67          155, 145    181, 147    285, 158        4 x 100      166, 140
//   64 x 203         152, 143    207, 140    342, 141       64 x 1,000    144, 142                286, 142
//   16 x 505         137, 144    180, 144    276, 149       16 x 1,001    139, 146    182, 149    277, 151
// Of few arrays, which have 200 to 256 MB in all (2026-11-29):
// 2,048 x 1,001    266, 164    346, 171              1,000 x 50,001     178, 109    195, 113    336, 139
// 4,096 x 1,001    267, 193    340, 203    465, 219  1,000 x 200,003                            272, 111
// 2^24 bytes of f32 along 64 x 67 take 27 and 12 us, and of i8 26 and 16 us. Slower memories were not measured;
// instructions count less there.
bool suits_pipeline(const Problem& problem, const DeviceLimits& limits) {
  constexpr std::uint64_t narrow = 24, wide = 256, many_bytes = 16 << 20, two_sectors = 64;
  const std::size_t item = size_of(problem.input);
  if (!has_panels_for_all(problem, limits)) return false;
  if (size_of(problem.output) != item || item > 8 || problem.accuracy != Accuracy::plain) return false;
  const std::uint64_t row_bytes = bytes_of(problem.inner, problem.input);
  const bool begins_within_sectors =
      has_uneven_rows(problem) ? row_bytes >= narrow : row_alignment(problem) < two_sectors && row_bytes >= wide;
  return begins_within_sectors && bytes_of(problem.size, problem.input) >= many_bytes;
}

}  // namespace

bool has_panels_for_all(const Problem& problem, const DeviceLimits& limits) {
  constexpr std::uint64_t wide = 1000, bytes_each = 400, columns_each = 128;
  constexpr double fast = 45;  // GB/s for each multiprocessor
  if (bandwidth_each(limits) >= fast) return false;
  const std::uint64_t columns = rows_of(problem, problem.size), multiprocessors = multiprocessors_of(limits);
  if (bytes_of(problem.inner, problem.input) >= wide) {
    return bytes_of(columns, problem.input) >= bytes_each * multiprocessors;
  }
  return columns >= columns_each * multiprocessors && 2 * columns >= problem.inner * multiprocessors;
}

bool has_fast_memory(const DeviceLimits& limits) noexcept {
  // GB/s for each multiprocessor. An H200 has 36, an H100 25. Parts of GPUs and later GPUs with more were not measured.
  constexpr double fast = 30, not_measured = 45;
  return bandwidth_each(limits) >= fast && bandwidth_each(limits) < not_measured;
}

std::uint64_t threads_for_columns(const DeviceLimits& limits) noexcept {
  return 480 * multiprocessors_of(limits);
}

std::uint64_t vectors_of_columns(const Problem& problem, std::uint64_t bytes) {
  return bytes_of(rows_of(problem, problem.size), problem.input) / bytes;
}

bool has_even_axes_in_fast_memory(const Problem& problem, const DeviceLimits& limits) {
  constexpr std::uint64_t narrow = 48;  // bytes: the least multiple of 16 that stands for a class of 64
  const std::size_t item = size_of(problem.input);
  return has_fast_memory(limits) && (item == 4 || item == 8) && !has_uneven_rows(problem) &&
         bytes_of(problem.inner, problem.input) >= narrow;
}

// generator/schedules/scan_axis_blocks.cpp compares the schedules.
bool has_wide_uneven_axes(const Problem& problem) {
  constexpr std::uint64_t least_rows = 48, most_rows = 1024, wide = 128, many_bytes = 64 << 20;
  const std::uint64_t item = size_of(problem.input), many_items = many_bytes / std::max<std::uint64_t>(2, item);
  return item <= 4 && has_uneven_rows(problem) && problem.inner >= wide && problem.row_length >= least_rows &&
         problem.row_length <= most_rows && problem.size >= many_items;
}

std::int64_t default_row_columns(const Problem& problem) noexcept {
  constexpr std::int64_t fewest = 2;
  if (!is_scan_along_axis(problem)) return 0;
  return std::max(static_cast<std::int64_t>(exact_inner(problem)), fewest);
}

bool has_few_columns(const Problem& problem) noexcept {
  if (!is_scan_along_axis(problem)) return false;
  const bool is_told = problem.inner != 0;
  if (is_told && (exact_inner(problem) == 0 || !has_one_array(problem))) return false;
  const std::uint64_t value = std::max(size_of(problem.input), size_of(problem.accumulator));
  return static_cast<std::uint64_t>(default_row_columns(problem)) * value <= most_row_bytes;
}

// Few items, and short even axes, in blocks that have all rows of their columns
// (generator/schedules/scan_axis_blocks.cpp). Otherwise a thread for each column where columns are short: 2^26 items of
// i8 along axes of 16 and 64 x 64 take 49 and 50 us so and 70 and 53 us in panels, but along axes of 256 x 64 344 us
// and 53 us in panels; of f32 along axes of 64 x 1001 285 and 234 us, and in blocks 221 us (H100, driver 580.159.04,
// 2026-11-27). Where few items are behind the axis, neighbouring threads would load pieces of a few bytes.
//
// A few columns of one array are one sequence of rows. Items of f32 in rows of 4 take so long (us) by lookahead, and by
// the schedule that was the default before (H200, driver 580.159.04, 2026-11-28):
//   2^12  3.69, 2.88 (axis_blocks)   2^16  4.05, 7.34 (axis_panels)   2^22  14.2, 17.5 (axis_lookahead)
//   2^14  4.01, 6.90 (axis_panels)   2^20  6.55, 13.4 (axis_panels)   2^26   137, 161  (axis_lookahead)
const char* default_scan_along_axis(const Problem& problem, const DeviceLimits& limits, const ScansAlongAxis& has) {
  constexpr std::uint64_t columns_each = 512, short_column = 16, longest_column = 64, most_few_behind = 11;
  constexpr std::uint64_t few_items = 1 << 20, few_bytes = 4 << 20, few_rows = 1 << 10;
  const std::uint64_t bytes = bytes_of(problem.size, problem.input);
  if (problem.size <= few_items && bytes <= few_bytes && problem.row_length <= few_rows) return "axis_blocks";
  if (has.lookahead) return "lookahead";
  if (has.axis_pipeline && suits_pipeline(problem, limits)) return "axis_pipeline";
  if (suits_columns_of_fast_memory(problem, limits)) return "axis_columns";
  if (has_some_even_axes(problem)) return "axis_blocks";
  if (suits_panels_of_fast_memory(problem, limits)) {
    // Rows of 256 bytes: generator/schedules/scan_axis_panels.cpp has the times.
    constexpr std::uint64_t narrow_row = 128, longest_axis = 1 << 20;
    const bool suits_panels = bytes_of(problem.inner, problem.input) > narrow_row &&
                              (size_of(problem.input) == 8 || problem.row_length < longest_axis);
    return has.axis_lookahead && has_narrow_long_axes(problem) && !suits_panels ? "axis_lookahead" : "axis_panels";
  }
  if (const char* const of_unaligned = default_of_unaligned_rows(problem, has.axis_lookahead)) return of_unaligned;
  if (has_short_even_axes(problem) || has_wide_uneven_axes(problem)) return "axis_blocks";
  if (has.axis_lookahead && (has_narrow_short_axes(problem) || has_narrow_long_axes(problem))) return "axis_lookahead";
  const std::uint64_t multiprocessors = multiprocessors_of(limits);
  const bool has_many_columns = rows_of(problem, problem.size) >= columns_each * multiprocessors;
  const bool has_small_items = size_of(problem.input) < 4, is_narrow = problem.inner <= most_few_behind;
  const bool suits_columns = has_small_items && has_many_columns && !is_narrow && problem.row_length <= longest_column;
  return suits_columns || problem.row_length <= short_column ? "axis_columns" : "axis_panels";
}

}  // namespace upsweep
