// axis_blocks: each block scans panels of columns alone.
#include <algorithm>

#include "generator/algorithm.hpp"
#include "generator/bytes.hpp"
#include "generator/schedules/axis_blocks.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/shape.hpp"
#include "generator/shape_defaults.hpp"

namespace upsweep {
namespace {

struct BlockShape {
  std::int64_t threads, rows, width;
  std::int64_t columns_per_thread = 1;
  std::int64_t blocks_per_multiprocessor = 8;
};

// Blocks that have all rows at a time. 2^12, 2^16 and 2^20 items of f32 take so long (us, H200, driver 580.159.04,
// 2026-11-26), and by axis_columns or axis_panels:
//   16 x 64     1.6, 2.6, 3.9     2.8, 3.3, 6.7
//   64 x 64     1.8, 2.6, 4.2     5.5, 7.0, 10.9
// Longer axes are faster in rows of vectors: 2^16, 2^18 and 2^20 items of f32 along axes of 256 x 16 take 3.0, 3.1 and
// 4.5 us so, 4.2, 4.5 and 6.2 us by single columns, along axes of 1024 x 64 3.9, 4.7 and 5.5 us, and 4.5, 6.0 and 9.4
// us (H100, driver 580.159.04, 2026-11-27).
BlockShape shape_for_few_items(const Problem& problem) {
  constexpr std::uint64_t few_items = 1 << 14, some_items = 1 << 17, many_items = 1 << 18, long_axis = 512;
  if (problem.row_length <= 16 && problem.size <= few_items) return {64, 4, 8};
  if (problem.row_length <= 64) {
    const bool has_room = problem.size > many_items || (problem.row_length <= 16 && problem.size > few_items);
    return {128, has_room ? 8 : 4, 8};
  }
  if (size_of(problem.input) >= 4 && !has_uneven_rows(problem)) {
    const bool is_long = problem.row_length > long_axis && problem.size > some_items;
    const std::int64_t columns = axis_panels::columns_of_bytes(problem, 16);
    return is_long && bytes_of(problem.inner, problem.input) > 16 ? BlockShape{512, 8, 4, columns}
                                                                  : BlockShape{256, 4, 1, columns};
  }
  if (problem.row_length <= 256 && problem.size <= few_items) return {128, 8, 8};
  return {512, 8, 4};
}

// Of rows that do not fill vectors. A thread loads single columns, and up to four times as many rows for it. 2^26 items
// along axes of so many rows x 1001 take so long (us, H100, driver 580.159.04, 2026-11-28), and by the schedules that
// were the default before, axis_columns and axis_panels:
//   64, 256 and 1000 x 1001, f32   221, 236 and 249   234, 272 and 312
//   64, 256 and 1000 x 1001, f16   134, 149 and 160   175, 161 and 194
//   64, 256 and 1000 x 1001, i8     88,  92 and 102   170, 115 and 138
BlockShape shape_for_uneven_rows(const Problem& problem) {
  constexpr std::uint64_t few_rows = 128, some_rows = 512;
  const bool has_small_items = size_of(problem.input) < 4;
  const std::int64_t columns = std::min<std::int64_t>(4, axis_panels::columns_of_bytes(problem, 16));
  if (columns < 4 || (!has_small_items && problem.row_length <= some_rows)) return {256, 4, 64, 1, 64};
  return {256, !has_small_items ? 1 : problem.row_length <= few_rows ? 8 : 4, 16, columns, 64};
}

// Where there are many items, more blocks than run at a time, so that no multiprocessor is long without work before the
// others. 2^26 items of f32 along axes of 256 x 1000 take 188 us so, and along axes of 1024 x 1000 191 us; by
// axis_columns and axis_panels 220 and 208 us (H100, driver 580.159.04, 2026-11-27).
BlockShape shape_for(const Problem& problem) {
  constexpr std::uint64_t few_items = 1 << 20, few_rows = 512, many_bytes = 64 << 20;
  if (problem.size <= few_items) return shape_for_few_items(problem);
  if (has_wide_uneven_axes(problem)) return shape_for_uneven_rows(problem);
  const bool has_many = problem.size * size_of(problem.input) >= many_bytes;
  const std::int64_t columns = axis_panels::columns_of_bytes(problem, 16);
  if (problem.row_length > few_rows && has_many) return {512, 16, 4, columns, 16};
  return {256, 4, 2, columns, has_many ? 64 : 12};
}

class ScanAxisBlocks final : public axis_blocks::Schedule {
 public:
  ScanAxisBlocks()
      : Schedule("axis_blocks",
                 "Each block scans panels of columns from their first rows to their last ones. Groups of its "
                 "threads have neighbouring rows, and the block scans what the groups fold. No block waits "
                 "for another. The kernel needs no workspace.",
                 "upsweep") {}

  [[nodiscard]] bool supports(const Problem& problem) const override { return is_scan_along_axis(problem); }
  // A few blocks would scan all items alone.
  [[nodiscard]] bool suits(const Problem& problem) const override {
    constexpr std::uint64_t least_columns = 2048, most_items = 1 << 20;
    return problem.size <= most_items || axis_panels::expected_columns(problem) >= least_columns;
  }

 protected:
  [[nodiscard]] axis_blocks::Values default_values(const Problem& problem, const DeviceLimits& limits) const override {
    axis_blocks::Values values;
    values.set_defaults(problem, limits);
    values.prefetch = tiles::default_prefetch(limits);
    const BlockShape shape = shape_for(problem);
    values.threads_per_block = shape.threads;
    values.items_per_thread = shape.rows;
    values.panel_width = shape.width;
    values.columns_per_thread = shape.columns_per_thread;
    values.blocks_per_multiprocessor = shape.blocks_per_multiprocessor;
    while (values.items_per_thread > 1 && !check(problem, values, limits).empty()) values.items_per_thread /= 2;
    while (values.threads_per_block > 64 && !check(problem, values, limits).empty()) values.threads_per_block /= 2;
    return values;
  }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const axis_blocks::Values& values) const override {
    Recipe recipe = recipe_of(problem, values, "kernel/scan.axis_blocks.cuh");
    recipe.launch.columns_per_vector = 1;  // panels of single columns have as many
    return {recipe};
  }
};

}  // namespace

const Schedule& scan_axis_blocks() {
  return *new const ScanAxisBlocks;
}

}  // namespace upsweep
