// axis_columns: each thread scans whole columns.
#include <algorithm>

#include "generator/algorithm.hpp"
#include "generator/described_schedule.hpp"
#include "generator/schedules/axis_panels.hpp"
#include "generator/schedules/reduce_tiles.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/shape.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_recipe.hpp"

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

class ScanAxisColumns final : public DescribedSchedule<AxisColumnsValues> {
 public:
  ScanAxisColumns()
      : DescribedSchedule("axis_columns",
                          "Each thread scans whole columns, row by row. No thread waits for another. The kernel needs "
                          "no workspace. This schedule is meant for many columns.",
                          "upsweep") {}

  [[nodiscard]] bool supports(const Problem& problem) const override { return is_scan_along_axis(problem); }
  // A few threads would scan all items alone.
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
  // As wide vectors as leave each multiprocessor 1024 threads, and 64 bytes of each thread under way.
  [[nodiscard]] AxisColumnsValues default_values(const Problem& problem, const DeviceLimits& limits) const override {
    AxisColumnsValues values;
    values.set_defaults(problem, limits);
    const auto threads = 1024 * static_cast<std::uint64_t>(std::max(limits.multiprocessors, 1));
    std::int64_t bytes = 16;
    while (bytes > 1 && axis_panels::expected_columns(problem) /
                                static_cast<std::uint64_t>(axis_panels::columns_of_bytes(problem, bytes)) <
                            threads) {
      bytes /= 2;
    }
    values.columns_per_thread = axis_panels::columns_of_bytes(problem, bytes);
    values.items_per_thread = axis_panels::rows_of_bytes(problem, values.columns_per_thread, 64);
    values.minimum_blocks = size_of(problem.input) == 1 ? 3 : 4;
    while (values.minimum_blocks > 1 && !check(problem, values, limits).empty()) --values.minimum_blocks;
    return values;
  }
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const AxisColumnsValues& values,
                                               const DeviceLimits& limits) const override {
    return axis_panels::violations(problem, values, limits, 1);
  }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const AxisColumnsValues& values) const override {
    Recipe recipe = axis_panels::recipe(problem, values, "kernel/scan.axis_columns.cuh");
    // The fewest that a block takes: columns of one item.
    recipe.launch.items_per_tile = static_cast<std::uint64_t>(values.threads_per_block);
    return {recipe};
  }
};

}  // namespace

const Schedule& scan_axis_columns() {
  return *new const ScanAxisColumns;
}

}  // namespace upsweep
