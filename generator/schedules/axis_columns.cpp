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

struct AxisColumnsValues : axis_panels::ColumnValues {
  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visit_columns(values, visitor);
    visitor(values.blocks_per_multiprocessor, reduce_tiles::blocks_per_multiprocessor);
    LaunchValues::visit(values, problem, visitor);
  }
};

// Each thread loads 64 bytes at a time, as rows of `bytes` bytes; of rows that do not fill vectors, at most four items.
// A multiprocessor has room for `blocks` blocks of 128 threads.
void set_small_blocks(const Problem& problem, std::int64_t bytes, std::int64_t blocks, AxisColumnsValues& values) {
  values.columns_per_thread = axis_panels::columns_of_bytes(problem, bytes);
  values.items_per_thread = axis_panels::rows_of_bytes(problem, values.columns_per_thread, 64);
  values.threads_per_block = 128;
  values.minimum_blocks = blocks;
}

// As wide vectors as leave each multiprocessor 1024 threads, and 64 bytes of each thread under way. A fast memory takes
// fewer threads, which have more loads under way: generator/axis_defaults.cpp compares.
void set_vectors(const Problem& problem, const DeviceLimits& limits, AxisColumnsValues& values) {
  constexpr std::uint64_t wide = 256, few_rows = 8;
  if (is_fold_along_axis(problem) && has_uneven_rows(problem)) {
    return set_small_blocks(problem, problem.row_length <= few_rows ? 16 : 8, 8, values);
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
    return axis_panels::violations(problem, values, limits, 1,
                                   "threads_per_block, items_per_thread or columns_per_thread");
  }
  [[nodiscard]] static Recipe recipe_of(const Problem& problem, const AxisColumnsValues& values, const char* kernel) {
    Recipe recipe = axis_panels::recipe(problem, values, kernel);
    // The fewest that a block takes: columns of one item.
    recipe.launch.items_per_tile = static_cast<std::uint64_t>(values.threads_per_block);
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
