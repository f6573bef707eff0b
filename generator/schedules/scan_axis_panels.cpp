// axis_panels: tiles of rows and columns, with a look-back for each column.
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

constinit const CountParameter staged_columns{
    "staged_columns",
    "Where the axes behind the scanned one have at most so many items, tiles are contiguous memory: they are loaded "
    "and stored item by item, and exchanged between threads through shared memory. 0: never.",
    {0, 4, 8, 16, 32, 64}};

struct AxisPanelsValues : axis_panels::ColumnValues {
  std::int64_t panel_width = 32;
  std::int64_t staged_columns = 0;
  tiles::Descriptor descriptor = tiles::Descriptor::packed;

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visit_columns(values, visitor);
    visitor(values.blocks_per_multiprocessor, reduce_tiles::blocks_per_multiprocessor);
    visitor(values.panel_width, axis_panels::panel_width);
    visitor(values.staged_columns, upsweep::staged_columns);
    visitor(values.descriptor, tiles::descriptor);
    LaunchValues::visit(values, problem, visitor);
  }

  // Of a tile along the axis, at least: what descriptors are counted by.
  [[nodiscard]] std::int64_t least_rows() const {
    return std::max<std::int64_t>(threads_per_block / std::max(panel_width, staged_columns), 1) * items_per_thread;
  }
};

// group_pitch() of templates/kernel/scan.axis_panels.cuh.
std::int64_t group_pitch(std::int64_t item_bytes, std::int64_t rows, std::int64_t width) {
  const std::int64_t banks = item_bytes < 128 ? 128 / item_bytes : 1, items = rows * width;
  return items + (width == 1 ? (items + 1) % 2 : (width + banks - items % banks) % banks);
}

// Items of the stage, for any number of columns that goes through it.
std::int64_t stage_items(const Problem& problem, const AxisPanelsValues& values) {
  std::int64_t most = 1;
  for (std::int64_t width = 1; width <= values.staged_columns; ++width) {
    const auto size = static_cast<std::int64_t>(size_of(problem.input));
    most = std::max(most, values.threads_per_block / width * group_pitch(size, values.items_per_thread, width));
  }
  return most;
}

// SharedStorage of the same template.
std::int64_t shared_bytes(const Problem& problem, const AxisPanelsValues& values) {
  const std::int64_t threads = values.threads_per_block, items = stage_items(problem, values);
  const tiles::Layout lookback = tiles::struct_of({axis_panels::values_storage(problem, values),
                                                   tiles::array_of_words(1, values.columns_per_thread * threads),
                                                   tiles::array_of_words(4, threads / 32)});
  const tiles::Layout stage =
      tiles::union_of({tiles::array_of(problem.input, items), tiles::array_of(problem.output, items)});
  return tiles::struct_of({lookback, stage, tiles::array_of_words(4, 2)}).size;
}

class ScanAxisPanels final : public DescribedSchedule<AxisPanelsValues> {
 public:
  ScanAxisPanels()
      : DescribedSchedule("axis_panels",
                          "Single-pass scan of tiles of rows and columns. Each column of a tile gets its prefix by "
                          "decoupled look-back over the tiles before it along the axis.",
                          "upsweep. Look-back: Merrill and Garland, \"Single-pass Parallel Prefix Scan with Decoupled "
                          "Look-back\", NVIDIA Technical Report NVR-2016-002, 2016") {}

  [[nodiscard]] bool supports(const Problem& problem) const override { return is_scan_along_axis(problem); }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const override {
    std::vector<Constraint> all = axis_panels::constraints();
    all.push_back(axis_panels::width_constraint());
    return all;
  }

 protected:
  // About 64 bytes of each thread under way, and blocks as many as hold them in registers without spills.
  [[nodiscard]] AxisPanelsValues default_values(const Problem& problem, const DeviceLimits& limits) const override {
    AxisPanelsValues values;
    values.set_defaults(problem, limits);
    values.minimum_blocks = 3;
    values.columns_per_thread = axis_panels::columns_of_bytes(problem, 4);
    values.items_per_thread = axis_panels::rows_of_bytes(problem, values.columns_per_thread, 64);
    // The fewer columns there are, the longer are the chains of tiles, and the more rows a tile is to have.
    const std::uint64_t units =
        axis_panels::expected_columns(problem) / static_cast<std::uint64_t>(values.columns_per_thread);
    values.panel_width = units >= 1024 ? 32 : units >= 256 ? 16 : 8;
    // Rows of fewer bytes are not whole sectors, or few threads have neighbouring ones.
    const std::uint64_t inner = inner_of(problem, problem.size);
    const bool is_narrow = inner * size_of(problem.input) < 64;
    while (is_narrow && static_cast<std::uint64_t>(values.staged_columns) < inner) {
      values.staged_columns = values.staged_columns == 0 ? 4 : 2 * values.staged_columns;
    }
    while (values.minimum_blocks > 1 && !check(problem, values, limits).empty()) --values.minimum_blocks;
    while (values.threads_per_block > 64 && !check(problem, values, limits).empty()) values.threads_per_block /= 2;
    return values;
  }
  [[nodiscard]] std::vector<AxisPanelsValues> seed_values(const Problem& problem,
                                                          const DeviceLimits& limits) const override {
    std::vector<AxisPanelsValues> found;
    for (const std::int64_t threads : {128, 256, 512, 1024}) {
      for (const std::int64_t width : {8, 16, 32}) {
        AxisPanelsValues values = default_values(problem, limits);
        values.threads_per_block = threads;
        values.panel_width = width;
        values.minimum_blocks = threads <= 256 ? 768 / threads : 1;
        found.push_back(values);
      }
    }
    return found;
  }
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const AxisPanelsValues& values,
                                               const DeviceLimits& limits) const override {
    std::vector<std::string> found = axis_panels::violations(problem, values, limits, shared_bytes(problem, values));
    axis_panels::check_width(found, "panel_width", values.panel_width, values);
    axis_panels::check_width(found, "staged_columns", values.staged_columns, values);
    return found;
  }
  // How far a tile looks back, and so which values it combines, depends on timing.
  [[nodiscard]] bool is_association_fixed(const AxisPanelsValues&) const override { return false; }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const AxisPanelsValues& values) const override {
    Recipe recipe = axis_panels::recipe(problem, values, "kernel/scan.axis_panels.cuh");
    recipe.parameters += tiles::constant("int", "panel_width", values.panel_width) +
                         tiles::constant("int", "staged_columns", values.staged_columns) +
                         tiles::constant("int", "stage_items", stage_items(problem, values));
    // Each column of each tile has a descriptor. Where a column has several tiles, its last one may have few rows, so
    // there are at most twice as many tiles as there are items for.
    recipe.launch.items_per_tile = static_cast<std::uint64_t>(values.least_rows());
    tiles::place_descriptors(recipe, tiles::accumulator_layout(problem), values.descriptor, "axis_tickets", true);
    recipe.workspace.slot_bytes *= 2;
    tiles::place_storage(recipe, shared_bytes(problem, values));
    return {recipe};
  }
};

}  // namespace

const Schedule& scan_axis_panels() {
  return *new const ScanAxisPanels;
}

}  // namespace upsweep
