// axis_blocks: each block folds panels of columns alone.
#include <algorithm>

#include <fmt/format.h>

#include "generator/algorithm.hpp"
#include "generator/described_schedule.hpp"
#include "generator/operator.hpp"
#include "generator/schedules/axis_panels.hpp"
#include "generator/schedules/reduce_tiles.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_recipe.hpp"

namespace upsweep {
namespace {

struct AxisBlocksValues : axis_panels::ColumnValues {
  std::int64_t panel_width = 4;
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

// SharedStorage of templates/kernel/reduce.axis_blocks.cuh.
std::int64_t shared_bytes(const Problem& problem, const AxisBlocksValues& values) {
  return tiles::array_of(axis_panels::values_storage(problem, values), 2).size;
}

class ReduceAxisBlocks final : public DescribedSchedule<AxisBlocksValues> {
 public:
  ReduceAxisBlocks()
      : DescribedSchedule("axis_blocks",
                          "Each block folds panels of columns from their first rows to their last ones. Groups of its "
                          "threads have rows of the same columns, and the block folds what the groups have. No block "
                          "waits for another. The kernel needs no workspace. This schedule is meant for few items.",
                          "upsweep") {}

  [[nodiscard]] bool supports(const Problem& problem) const override { return is_fold_along_axis(problem); }
  // A few blocks would fold all items alone.
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
    constexpr std::uint64_t many_rows = 512;
    AxisBlocksValues values;
    values.set_defaults(problem, limits);
    values.prefetch = tiles::default_prefetch(limits);
    values.columns_per_thread = axis_panels::columns_of_bytes(problem, 16);
    values.items_per_thread = axis_panels::rows_of_bytes(problem, values.columns_per_thread, 64);
    values.threads_per_block = problem.row_length >= many_rows ? 512 : 128;
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
    Recipe recipe = axis_panels::recipe(problem, values, "kernel/reduce.axis_blocks.cuh");
    recipe.roles["tile/prefetch"] = tiles::prefetch.name_of(values.prefetch);
    recipe.parameters += tiles::constant("int", "panel_width", values.panel_width);
    recipe.parameters += fmt::format(
        "\n// Whether the operator does not commute: items are combined in their order.\nconstexpr bool "
        "in_order = {};\n",
        !is_commutative(problem.op));
    // A panel has so many items or more, unless there are fewer rows than groups in the widest one.
    recipe.launch.items_per_tile =
        static_cast<std::uint64_t>(values.threads_per_block * std::max<std::int64_t>(values.items_per_thread / 2, 1));
    tiles::place_storage(recipe, shared_bytes(problem, values));
    return {recipe};
  }
};

}  // namespace

const Schedule& reduce_axis_blocks() {
  return *new const ReduceAxisBlocks;
}

}  // namespace upsweep
