// axis_columns: each thread scans or folds whole columns.
#include <algorithm>
#include <cstdint>

#include "generator/algorithm.hpp"
#include "generator/bytes.hpp"
#include "generator/described_schedule.hpp"
#include "generator/device_limits.hpp"
#include "generator/schedules/axis_panels.hpp"
#include "generator/schedules/reduce_tiles.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/shape.hpp"
#include "generator/shape_defaults.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_recipe.hpp"
#include "generator/tile_storage.hpp"

namespace upsweep {
namespace {

enum class UnevenRows : std::uint8_t { direct, staged };

constinit const ChoiceParameter<UnevenRows> uneven_rows{
    "uneven_rows",
    "How results go to memory where rows do not fill vectors of `columns_per_thread` items.",
    {{UnevenRows::direct, "direct", "Each thread stores its results one by one, whatever their addresses are."},
     {UnevenRows::staged, "staged",
      "Each row of a block's columns waits in shared memory. Its whole sectors of 32 bytes are stored as vectors of 16 "
      "bytes. Blocks take columns of one array at a time."}},
    UnevenRows::direct};

struct AxisColumnsValues : axis_panels::ColumnValues {
  UnevenRows uneven_rows = UnevenRows::direct;

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visit_columns(values, visitor);
    if (is_scan_along_axis(problem)) visitor(values.uneven_rows, upsweep::uneven_rows);
    visitor(values.blocks_per_multiprocessor, reduce_tiles::blocks_per_multiprocessor);
    LaunchValues::visit(values, problem, visitor);
  }
};

// SharedStorage of templates/block/uneven_rows.staged.cuh.
std::int64_t shared_bytes(const Problem& problem, const AxisColumnsValues& values) {
  const auto size = static_cast<std::int64_t>(size_of(problem.output));
  if (values.uneven_rows == UnevenRows::direct) return 1;
  const std::int64_t columns = values.threads_per_block * std::min(most_single_columns, values.columns_per_thread);
  const tiles::Layout row = tiles::union_of(
      {tiles::array_of(problem.output, columns + 32 / size), tiles::array_of_words(16, columns * size / 16 + 2)});
  return tiles::array_of(row, 2 * values.items_per_thread).size;
}

// Each thread loads 64 bytes at a time, as rows of `bytes` bytes; of rows that do not fill vectors, at most four items.
// A multiprocessor has room for `blocks` blocks of 128 threads.
void set_small_blocks(const Problem& problem, std::int64_t bytes, std::int64_t blocks, AxisColumnsValues& values) {
  values.columns_per_thread = axis_panels::columns_of_bytes(problem, bytes);
  values.items_per_thread = axis_panels::rows_of_bytes(problem, values.columns_per_thread, 64);
  values.threads_per_block = 128;
  values.minimum_blocks = blocks;
}

// A block has room for 512 columns of most types, or half as many where rows are narrower. A thread loads eight rows at
// a time. Of short axes, four leave room for more blocks; generator/axis_defaults.cpp compares. 2^26 items of f32 along
// axes of 3, 8, 16 and 64 x 505 take 159, 136, 138 and 153 us by four rows, and 236, 143, 137 and 149 us by eight; four
// times as many of i8 403, 306, 290 and 283 us, and 597, 296, 276 and 261 us, and twice as many of f16 along 16 x 505
// 181 and 192 us (H200, driver 580.159.04, 2026-11-28).
void set_staged_columns(const Problem& problem, AxisColumnsValues& values) {
  constexpr std::uint64_t wide = 240, very_wide = 480;
  const std::size_t item = size_of(problem.input);
  const std::uint64_t short_axis = item == 1 ? 5 : item == 2 ? 22 : 11;
  values.uneven_rows = UnevenRows::staged;
  values.columns_per_thread = std::min(most_single_columns, axis_panels::columns_of_bytes(problem, 16));
  values.threads_per_block = 128;
  values.items_per_thread = 8;
  if (item == 8 && problem.inner < wide) {
    values.items_per_thread = 4;
    values.minimum_blocks = 8;
    values.blocks_per_multiprocessor = 16;
  } else if (item < 8 && problem.inner < very_wide) {
    values.threads_per_block = 64;
    values.minimum_blocks = 8;
    values.blocks_per_multiprocessor = 32;
  } else {
    if (problem.row_length <= short_axis) values.items_per_thread = 4;
    values.minimum_blocks = values.items_per_thread == 4 ? 6 : 4;
    values.blocks_per_multiprocessor = 64;
  }
}

// As wide vectors as leave each multiprocessor 1024 threads, and 64 bytes of each thread under way. A fast memory takes
// fewer threads, which have more loads under way: generator/axis_defaults.cpp compares.
void set_vectors(const Problem& problem, const DeviceLimits& limits, AxisColumnsValues& values) {
  constexpr std::uint64_t wide = 256, few_rows = 8;
  if (is_fold_along_axis(problem) && has_uneven_rows(problem)) {
    return set_small_blocks(problem, problem.row_length <= few_rows ? 16 : 8, 8, values);
  }
  if (is_scan_along_axis(problem) && suits_staged_columns(problem, limits)) {
    return set_staged_columns(problem, values);
  }
  if (has_even_axes_in_fast_memory(problem, limits)) {
    const bool is_wide = bytes_of(problem.inner, problem.input) >= wide;
    const bool has_few = vectors_of_columns(problem, 16) < threads_for_columns(limits);
    const std::int64_t bytes = is_wide || has_few || size_of(problem.input) == 8 ? 8 : 16;
    return set_small_blocks(problem, bytes, bytes == 8 && size_of(problem.input) == 4 ? 8 : 4, values);
  }
  std::int64_t bytes = 16;
  const auto threads = [&] {
    return axis_panels::expected_columns(problem) /
           static_cast<std::uint64_t>(axis_panels::columns_of_bytes(problem, bytes));
  };
  while (bytes > 1 && threads() < 1024 * multiprocessors_of(limits)) bytes /= 2;
  values.columns_per_thread = axis_panels::columns_of_bytes(problem, bytes);
  values.items_per_thread = axis_panels::rows_of_bytes(problem, values.columns_per_thread, 64);
  values.minimum_blocks = size_of(problem.input) == 1 ? 3 : 4;
}

// Each thread has whole columns.
class AxisColumns : public DescribedSchedule<AxisColumnsValues> {
 public:
  using DescribedSchedule::DescribedSchedule;

  // A few threads would take all items alone.
  [[nodiscard]] bool suits(const Problem& problem) const override {
    constexpr std::uint64_t least_columns = 4096, most_items = 1 << 16;
    return problem.size <= most_items || problem.row_length <= 64 ||
           axis_panels::expected_columns(problem) >= least_columns;
  }
  [[nodiscard]] std::string_view tile_unit() const noexcept override { return "column"; }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const override {
    return axis_panels::constraints();
  }

 protected:
  [[nodiscard]] AxisColumnsValues default_values(const Problem& problem, const DeviceLimits& limits) const override {
    AxisColumnsValues values;
    values.set_defaults(problem, limits);
    set_vectors(problem, limits, values);
    while (values.minimum_blocks > 1 && !check(problem, values, limits).empty()) {
      values.minimum_blocks = values.minimum_blocks > 4 ? 4 : values.minimum_blocks - 1;
    }
    return values;
  }
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const AxisColumnsValues& values,
                                               const DeviceLimits& limits) const override {
    return axis_panels::violations(problem, values, limits, shared_bytes(problem, values),
                                   "threads_per_block, items_per_thread or columns_per_thread");
  }
  [[nodiscard]] static Recipe recipe_of(const Problem& problem, const AxisColumnsValues& values, const char* kernel) {
    Recipe recipe = axis_panels::recipe(problem, values, kernel);
    // The fewest that a block takes: columns of one item.
    recipe.launch.items_per_tile = static_cast<std::uint64_t>(values.threads_per_block);
    if (!is_scan_along_axis(problem)) return recipe;
    recipe.roles["block/uneven_rows"] = uneven_rows.name_of(values.uneven_rows);
    if (values.uneven_rows == UnevenRows::staged) {
      // Rows at least as wide as a block has threads get a block for each panel, and some that find none.
      recipe.launch.columns_per_vector = static_cast<int>(values.columns_per_thread);
      recipe.launch.columns_per_tile = static_cast<std::uint64_t>(values.threads_per_block * values.columns_per_thread);
      tiles::place_storage(recipe, shared_bytes(problem, values));
    }
    return recipe;
  }
};

class ScanAxisColumns final : public AxisColumns {
 public:
  ScanAxisColumns()
      : AxisColumns("axis_columns",
                    "Each thread scans whole columns, row by row. No thread waits for another. The kernel needs "
                    "no workspace. This schedule is meant for many columns.",
                    "upsweep") {}

  [[nodiscard]] bool supports(const Problem& problem) const override { return is_scan_along_axis(problem); }

 protected:
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const AxisColumnsValues& values) const override {
    return {recipe_of(problem, values, "kernel/scan.axis_columns.cuh")};
  }
};

class ReduceAxisColumns final : public AxisColumns {
 public:
  ReduceAxisColumns()
      : AxisColumns("axis_columns",
                    "Each thread folds whole columns, row by row. No thread waits for another. The kernel needs "
                    "no workspace. This schedule is meant for many columns of a few items.",
                    "upsweep") {}

  [[nodiscard]] bool supports(const Problem& problem) const override { return is_fold_along_axis(problem); }

 protected:
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const AxisColumnsValues& values) const override {
    return {recipe_of(problem, values, "kernel/reduce.axis_columns.cuh")};
  }
};

}  // namespace

const Schedule& scan_axis_columns() {
  return *new const ScanAxisColumns;
}

const Schedule& reduce_axis_columns() {
  return *new const ReduceAxisColumns;
}

}  // namespace upsweep
