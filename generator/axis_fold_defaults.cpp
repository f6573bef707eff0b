#include <algorithm>
#include <cstdint>

#include "generator/algorithm.hpp"
#include "generator/bytes.hpp"
#include "generator/device_limits.hpp"
#include "generator/schedule.hpp"
#include "generator/shape.hpp"
#include "generator/shape_defaults.hpp"
#include "generator/value_type.hpp"

namespace upsweep {
namespace {

// Whether there are many bytes of rows that do not fill vectors and are wider than axis_shares is for.
bool has_many_wide_uneven_rows(const Problem& problem) {
  constexpr std::uint64_t narrow = 128, many_bytes = 64 << 20;
  return has_uneven_rows(problem) && problem.inner > narrow && problem.accuracy == Accuracy::plain &&
         bytes_of(problem.size, problem.input) >= many_bytes;
}

// Whether blocks that fold whole columns alone are fast (generator/schedules/reduce_axis_blocks.cpp): where there are
// few items, and where there are enough columns for the multiprocessors and rows are loaded as vectors or are wide. A
// block folds about 45 GB/s, whereas schedules that divide columns take about 10 us longer for few items. 2^26 items
// of f32 along axes of 4096 x 16 take 90 us so and 108 us otherwise, 65536 x 16 97 and 104 us, 64 x 1001 99 and 110 us,
// but 64 x 67 140 and 100 us; 2^22 of 16384 x 16 15 and 18 us, of 65536 x 16 40 and 18 us; 2^16 of 1024 x 4 3.5 and 7.9
// us; 2^26 of i8 along 4096 x 1024 29 and 68 us, but of f16 along 64 x 1001 162 and 94 us (H100, driver 580.159.04,
// 2026-11-27). Of a fast memory, 64 wide panels are too few: 2^26 items of f32 along axes of 32768 x 64 take 68 to 82
// us so on several GPUs, and 71 us by axis_shares. But along 65536 x 16 and 32768 x 1024 they take 68 and 72 us so, and
// 74 and 75 us otherwise (H200, driver 580.159.04, 2026-11-28).
bool suits_axis_blocks(const Problem& problem, const DeviceLimits& limits) {
  constexpr std::uint64_t few_items = 1 << 20, some_items = 1 << 22, few_rows = 1 << 13, wide = 2048;
  if (!find_schedule(problem, "axis_blocks").suits(problem)) return false;
  if (problem.size <= few_items && problem.row_length <= few_rows) return true;
  const std::uint64_t columns = rows_of(problem, problem.size), size = size_of(problem.input);
  constexpr std::uint64_t narrow_panel = 64, wide_panel = 128;  // bytes of a row
  const bool is_narrow = size < 4 || problem.inner * size <= narrow_panel;
  const std::uint64_t panel_bytes = is_narrow ? narrow_panel : wide_panel;
  const std::uint64_t panels = columns * size / panel_bytes, multiprocessors = multiprocessors_of(limits);
  const bool has_wide_rows = size >= 4 && problem.inner * size >= wide;
  if (has_uneven_rows(problem) && !has_wide_rows) return false;
  constexpr std::uint64_t narrow_rows = 128;  // items, which axis_shares is for
  const bool has_better = has_fast_memory(limits) && !is_narrow && problem.inner <= narrow_rows;
  return 5 * panels >= (has_better ? 3 : 2) * multiprocessors ||
         (problem.size <= some_items && 10 * panels >= multiprocessors);
}

// Whether panels of axis_pipeline are about equal work for all blocks: arrays are many, or axes are short, or the few
// arrays are divided into several panels each (templates/block/pipeline_panels.cuh). With about one array for each
// block, some blocks have two. 2^27 items of f16 take so long (us) by axis_blocks with one column for each thread, and
// by axis_pipeline (H200, driver 580.159.04, 2026-11-29):
//    1,000 x 1,001 (134 arrays)  90, 120    2,048 x 1,001 (65)  79, 87    512 x 203 (1,291)  81, 80
// With two columns for each thread, axis_blocks takes 83 us along 1,000 x 3,001 (44), and axis_pipeline 71 us. Other
// numbers of arrays were not measured.
bool has_equal_panels(const Problem& problem, const DeviceLimits& limits) {
  constexpr std::uint64_t many_rows = 384, bytes_each = 900, few = 4, many = 4;
  if (problem.row_length < many_rows) return true;
  const std::uint64_t columns = rows_of(problem, problem.size), blocks = multiprocessors_of(limits);
  return columns >= many * blocks * problem.inner ||
         (few * columns <= blocks * problem.inner && bytes_of(columns, problem.input) >= bytes_each * blocks);
}

// Whether blocks whose warps load and fold are fastest. 2^28 bytes of items take so long (us) by the default before,
// and by axis_pipeline (H200, driver 580.159.04, 2026-11-28):
//                       f32         f16         i8                         f16         i8
//    3 x 22,369,621  131, 103    487, 104    805, 133       64 x 203    141,  81    245,  91
//    4 x 203         105,  97    376,  99    598, 109       64 x 1,001  141,  79    249,  80
//    4 x 1,001       105,  96    381,  98    618, 116      512 x 203    131,  81    214,  97
//    8 x 1,001        85,  92    329,  89    538,  84    1,000 x 1,001  180, 118    199, 106
//   67 x 1,000,003    75,  73    477,  73    568,  77
bool suits_fold_pipeline(const Problem& problem, const DeviceLimits& limits) {
  constexpr std::uint64_t few_rows = 5;  // the longest axes of the class of 4
  const std::size_t item = size_of(problem.input);
  if (!has_many_wide_uneven_rows(problem) || !has_panels_for_all(problem, limits)) return false;
  if (item == 2) return has_equal_panels(problem, limits) || !folds_single_columns(problem, limits);
  return item == 1 || (item == 4 && problem.row_length <= few_rows);
}

// Rows that do not fill vectors, of which a thread loads several columns item by item. Along axes of a few items, other
// schedules have too few loads under way. Items take so long (us) by axis_columns, and by the schedule that was the
// default before (H200, driver 580.159.04, 2026-11-28):
//   f32 2^26   3 x 22,369,621  132, 239    f32 2^26   16 x 203   76,  82    f16 2^27  4 x 1001  381,  888
//   f32 2^26   4 x 203         105, 238    f32 2^26   64 x 203   74,  98    f16 2^27  8 x 1001  330,  585
//   f32 2^26   4 x 1001        105, 187    f32 2^26  256 x 203   76,  82    i8  2^28  4 x 1001  619, 1593
//   f32 2^26   8 x 203          85, 134    f32 2^26  512 x 203   94,  77    i8  2^28  8 x 1001  536,  842
//   f64 2^25   4 x 203          84, 136    f32 2^26   64 x 1001  74,  72
// Along axes of a few items, the slower ones wait for loads, which take no less time from a slower memory. Where axes
// of 4- and 8-byte items are longer, folds_single_columns comes first.
bool folds_uneven_columns(const Problem& problem, const DeviceLimits& limits) {
  constexpr std::uint64_t few_rows = 8, most_rows = 256, wide = 2048;
  if (!has_many_wide_uneven_rows(problem)) return false;
  const bool suits_fast_memory =
      has_fast_memory(limits) && size_of(problem.input) >= 4 && bytes_of(problem.inner, problem.input) < wide;
  return problem.row_length <= few_rows || (suits_fast_memory && problem.row_length <= most_rows);
}

// Rows of a few vectors along short axes. Items take so long (us) by axis_shares and by axis_blocks (H200, driver
// 580.159.04, 2026-11-28):
//   i64 2^25  16 x 2  74,  84    64 x 2  73,  88    128 x 2  72, 101    f32 2^26  16 x 4  76, 89
//             16 x 4  74,  80    64 x 4  73,  84    128 x 4  72,  93              64 x 4  72, 69
//             16 x 8  74,  68    64 x 8  73,  66    128 x 8  72,  92              16 x 8  76, 81
bool suits_shares_of_fast_memory(const Problem& problem, const DeviceLimits& limits) {
  constexpr std::uint64_t few_columns = 4, some_columns = 8, few_rows = 8, many_bytes = 64 << 20;
  if (!has_fast_memory(limits) || bytes_of(problem.size, problem.input) < many_bytes) return false;
  const std::size_t item = size_of(problem.input);
  const std::uint64_t rows = problem.row_length, columns = problem.inner;
  if (rows <= few_rows) return false;
  if (item == 4) return rows <= 16 && columns <= some_columns;
  return item == 8 && rows <= 128 && (columns <= few_columns || (columns <= some_columns && rows > 64));
}

}  // namespace

// 2^28 bytes of items take so long (us) by the default before, and by axis_blocks, where each thread has one column and
// loads 64 bytes of it at a time (H200, driver 580.159.04, 2026-11-29):
//                    f32       f64        f16                         f32       f64        f16
//     64 x 203                  77, 69             1,000 x  1,001      83, 71    70, 66   119,  90
//    128 x 1,001    110, 71    109, 67             1,000 x  3,001      82, 69
//    256 x 203       73, 72     75, 67             2,048 x  1,001      72, 68    66, 64   114,  79
//    512 x 203       77, 72     74, 66             4,096 x  1,001      69, 68    65, 65   137,  80
//    512 x 1,001                82, 66             8,192 x  1,001      80, 71    69, 67
//  1,000 x 203       78, 72                       16,384 x  1,001      95, 70             133, 107
// Items of f32 take 83 us in blocks of 128 threads along 2,048 x 1,001, and 76 us in blocks of 512 along 256 x 203.
bool folds_single_columns(const Problem& problem, const DeviceLimits& limits) {
  constexpr std::uint64_t columns_each = 28;
  const std::size_t item = size_of(problem.input);
  if (!has_many_wide_uneven_rows(problem) || !has_fast_memory(limits)) return false;
  if (rows_of(problem, problem.size) < columns_each * multiprocessors_of(limits)) return false;
  const std::uint64_t least_rows = item == 2 ? 384 : item == 4 ? 96 : 48;
  return (item == 2 || item == 4 || item == 8) && problem.row_length >= least_rows;
}

// Otherwise, where rows are narrow, neighbouring ones are loaded as they lie in memory: 2^26 items of f32 along axes of
// 64 x 3 take 73 us so and 145 us in pieces, 65536 x 67 75 and 85 us, 4 x 67 92 and 230 us. Fewer than 2^21 items take
// longer so, and in rows that are wider than two panels, 170 us instead of 72 us (H200, driver 580.159.04, 2026-11-26).
// One block of each multiprocessor folds about 40 GB/s, which is less than others have in a part of a GPU.
const char* default_fold_along_axis(const Problem& problem, const DeviceLimits& limits, bool has_pipeline) {
  constexpr std::uint64_t many_items = 1 << 21, narrow = 128;
  constexpr double fast = 75;  // GB/s
  if (has_pipeline && suits_fold_pipeline(problem, limits)) return "axis_pipeline";
  if (folds_single_columns(problem, limits)) return "axis_blocks";
  if (folds_uneven_columns(problem, limits)) return "axis_columns";
  const bool is_measured =
      limits.compute_capability >= 90 && problem.accuracy == Accuracy::plain && bandwidth_each(limits) <= fast;
  if (is_measured && suits_shares_of_fast_memory(problem, limits)) return "axis_shares";
  if (suits_axis_blocks(problem, limits)) return "axis_blocks";
  return is_measured && problem.size >= many_items && problem.inner <= narrow ? "axis_shares" : "axis_pieces";
}

}  // namespace upsweep
