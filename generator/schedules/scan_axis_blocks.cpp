// axis_blocks: each block scans panels of columns alone.
#include <algorithm>

#include "generator/algorithm.hpp"
#include "generator/described_schedule.hpp"
#include "generator/schedules/axis_panels.hpp"
#include "generator/schedules/reduce_tiles.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_recipe.hpp"

namespace upsweep {
namespace {

struct AxisBlocksValues : axis_panels::ColumnValues {
  std::int64_t panel_width = 8;
  tiles::Prefetch prefetch = tiles::Prefetch::none;

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visit_columns(values, visitor);
    visitor(values.blocks_per_multiprocessor, reduce_tiles::blocks_per_multiprocessor);
    visitor(values.panel_width, axis_panels::panel_width);
    visitor(values.prefetch, tiles::prefetch);
    LaunchValues::visit(values, problem, visitor);
  }
};

// SharedStorage of templates/kernel/scan.axis_blocks.cuh.
std::int64_t shared_bytes(const Problem& problem, const AxisBlocksValues& values) {
  return tiles::array_of(axis_panels::values_storage(problem, values), 2).size;
}

struct BlockShape {
  std::int64_t threads, rows, width;
};

// Blocks that have all rows at a time. 2^12, 2^16 and 2^20 items of f32 take so long (us, H200, driver 580.159.04,
// 2026-11-26), and by axis_columns or axis_panels:
//   16 x 64     1.6, 2.6, 3.9     2.8, 3.3, 6.7
//   64 x 64     1.8, 2.6, 4.2     5.5, 7.0, 10.9
//   256 x 4     2.9, 4.2, 7.3     5.1, 6.6, 10.4
//   1024 x 4    3.9, 4.1, 7.2     5.8, 7.1, 11.1
BlockShape shape_for(const Problem& problem) {
  constexpr std::uint64_t few_items = 1 << 14, many_items = 1 << 18;
  if (problem.row_length <= 16 && problem.size <= few_items) return {64, 4, 8};
  if (problem.row_length <= 64) {
    const bool has_room = problem.size > many_items || (problem.row_length <= 16 && problem.size > few_items);
    return {128, has_room ? 8 : 4, 8};
  }
  if (problem.row_length <= 256 && problem.size <= few_items) return {128, 8, 8};
  return {512, 8, 4};
}

class ScanAxisBlocks final : public DescribedSchedule<AxisBlocksValues> {
 public:
  ScanAxisBlocks()
      : DescribedSchedule("axis_blocks",
                          "Each block scans panels of columns from their first rows to their last ones. Groups of its "
                          "threads have neighbouring rows, and the block scans what the groups fold. No block waits "
                          "for another. The kernel needs no workspace. This schedule is meant for few items.",
                          "upsweep") {}

  [[nodiscard]] bool supports(const Problem& problem) const override { return is_scan_along_axis(problem); }
  // A few blocks would scan all items alone.
  [[nodiscard]] bool suits(const Problem& problem) const override {
    constexpr std::uint64_t least_columns = 2048, most_items = 1 << 20;
    return problem.size <= most_items || axis_panels::expected_columns(problem) >= least_columns;
  }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const override {
    std::vector<Constraint> all = axis_panels::constraints("`prefetch=bulk` needs compute capability 9.0.");
    all.push_back(axis_panels::width_constraint());
    return all;
  }

 protected:
  [[nodiscard]] AxisBlocksValues default_values(const Problem& problem, const DeviceLimits& limits) const override {
    AxisBlocksValues values;
    values.set_defaults(problem, limits);
    values.prefetch = tiles::default_prefetch(limits);
    const BlockShape shape = shape_for(problem);
    values.threads_per_block = shape.threads;
    values.items_per_thread = shape.rows;
    values.panel_width = shape.width;
    while (values.items_per_thread > 1 && !check(problem, values, limits).empty()) values.items_per_thread /= 2;
    while (values.threads_per_block > 64 && !check(problem, values, limits).empty()) values.threads_per_block /= 2;
    return values;
  }
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const AxisBlocksValues& values,
                                               const DeviceLimits& limits) const override {
    std::vector<std::string> found = axis_panels::violations(problem, values, limits, shared_bytes(problem, values));
    axis_panels::check_width(found, "panel_width", values.panel_width, values);
    tiles::check_prefetch(found, values.prefetch, limits);
    return found;
  }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const AxisBlocksValues& values) const override {
    Recipe recipe = axis_panels::recipe(problem, values, "kernel/scan.axis_blocks.cuh");
    recipe.roles["tile/prefetch"] = tiles::prefetch.name_of(values.prefetch);
    recipe.parameters += tiles::constant("int", "panel_width", values.panel_width);
    // A panel has so many items or more, unless there are fewer rows than groups in the widest one.
    recipe.launch.items_per_tile =
        static_cast<std::uint64_t>(values.threads_per_block * std::max<std::int64_t>(values.items_per_thread / 2, 1));
    tiles::place_storage(recipe, shared_bytes(problem, values));
    return {recipe};
  }
};

}  // namespace

const Schedule& scan_axis_blocks() {
  return *new const ScanAxisBlocks;
}

}  // namespace upsweep
