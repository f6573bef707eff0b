// axis_panels: tiles of rows and columns that wait in shared memory, with a look-back for each column.
#include <algorithm>
#include <bit>
#include <cstdint>

#include <fmt/format.h>

#include "generator/algorithm.hpp"
#include "generator/described_schedule.hpp"
#include "generator/schedules/axis_panels.hpp"
#include "generator/schedules/reduce_tiles.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/shape.hpp"
#include "generator/shape_defaults.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_recipe.hpp"

namespace upsweep {
namespace {

constinit const CountParameter rows_per_thread{
    "rows_per_thread",
    "Largest number of rows per thread and tile. The number is odd to avoid bank conflicts "
    "in shared memory.",
    {1, 3, 5, 9, 17, 25, 33, 49, 65, 97, 129}};

constinit const CountParameter contiguous_columns{
    "contiguous_columns",
    "Where the axes behind the scanned one have at most so many items, tiles are whole rows, which are contiguous "
    "memory. The same where they have at most twice as many items that do not fill sectors of 32 bytes. 0: never.",
    {0, 4, 8, 16, 32, 64, 128}};

constinit const CountParameter states_per_lane{
    "states_per_lane",
    "Number of descriptors of a column that each lane reads at once. A warp reads 32 times as many descriptors, of "
    "four or more columns.",
    {1, 2, 4, 8, 16}};

enum class Copies : std::uint8_t { async, loads };

constinit const ChoiceParameter<Copies> copies{
    "copies",
    "How rows whose addresses are multiples of 16 bytes are copied from global to shared memory.",
    {{Copies::async, "async", "Asynchronous copies of 16 bytes (`cp.async`, compute capability 8.0 and later)."},
     {Copies::loads, "loads", "Loads of 16 bytes to registers."}}};

struct AxisPanelsValues : axis_panels::ColumnValues {
  std::int64_t rows_per_thread = 33;
  std::int64_t panel_width = 32;
  std::int64_t contiguous_columns = 32;
  std::int64_t states_per_lane = 8;
  Copies copies = Copies::loads;
  tiles::Descriptor descriptor = tiles::Descriptor::packed;

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visit_columns(values, visitor);
    visitor(values.blocks_per_multiprocessor, reduce_tiles::blocks_per_multiprocessor);
    visitor(values.rows_per_thread, upsweep::rows_per_thread);
    visitor(values.panel_width, axis_panels::panel_width);
    visitor(values.contiguous_columns, upsweep::contiguous_columns);
    visitor(values.states_per_lane, upsweep::states_per_lane);
    visitor(values.copies, upsweep::copies);
    visitor(values.descriptor, tiles::descriptor);
    LaunchValues::visit(values, problem, visitor);
  }

  // Columns of a panel of threads that have one column each.
  [[nodiscard]] std::int64_t panel_columns() const { return panel_width * columns_per_thread; }
  // The most columns of a tile that has whole rows: has_whole_rows() of templates/block/axis_tiles.cuh.
  [[nodiscard]] std::int64_t row_columns() const { return 2 * contiguous_columns; }

  // Of a tile along the axis, about: what descriptors are counted by. Threads that have one column each have most
  // times columns_per_thread, made odd, rows.
  [[nodiscard]] std::int64_t least_rows() const {
    const std::int64_t most_columns = std::max(panel_columns(), row_columns());
    const std::int64_t rows_of_one = (rows_per_thread * columns_per_thread - 1) | 1;
    return std::min(std::max<std::int64_t>(threads_per_block / most_columns, 1) * rows_of_one,
                    std::max<std::int64_t>(threads_per_block * columns_per_thread / most_columns, 1) * rows_per_thread);
  }
};

// Items of the stage: those of a tile, and a few more where they begin behind a vector of 16 bytes.
std::int64_t stage_items(const Problem& problem, const AxisPanelsValues& values) {
  const auto size = static_cast<std::int64_t>(size_of(problem.input));
  return values.threads_per_block * values.rows_per_thread * values.columns_per_thread +
         (16 % size == 0 ? 16 / size : 0);
}

std::int64_t tile_bytes(const Problem& problem, const AxisPanelsValues& values) {
  return values.threads_per_block * values.rows_per_thread * values.columns_per_thread *
         static_cast<std::int64_t>(size_of(problem.input));
}

// Long axes have few panels, and so long chains of tiles. Narrow panels make more chains, and their tiles have more
// rows. 2^28 bytes of items took so long (us) before, in panels of 256 bytes or by axis_lookahead, and take so long now
// (H200, driver 580.159.04, 2026-11-28):
//   f32           before  now    f32            before  now    i64          before  now    i64          before  now
//   2^18 x 64        160  156    2^15 x 1,000      150  148    2^15 x 32       160  151    2^17 x 128      158  152
//   2^17 x 128       154  153    2^16 x 1,000      156  150    2^18 x 32       163  156    2^18 x 128      162  154
//   2^18 x 128       158  154    2^15 x 1,024      145  144    2^15 x 128      150  147    2^15 x 512      146  143
//   2^19 x 128       163  157    2^16 x 1,024      149  145    2^16 x 128      153  148    2^16 x 512      151  146
// and 2^28 items of f32 along 2^18 x 1,024 took 559 us and take 545 us.
bool set_panels_of_long_axes(const Problem& problem, const DeviceLimits& limits, AxisPanelsValues& values) {
  constexpr std::uint64_t many_bytes = 64 << 20, two_sectors = 64;
  constexpr int long_axis = 15, longer_axis = 17, longest_axis = 18, narrow = 5, wide = 9, many_items = 25;
  if (!has_even_axes_in_fast_memory(problem, limits) || input_bytes(problem, problem.size) < many_bytes) return false;
  const int rows = size_class(problem.row_length), columns = inner_class(problem.inner);
  if (columns < wide && row_alignment(problem) < two_sectors) return false;
  const bool has_words = size_of(problem.input) == 4;
  struct Panels {
    std::int64_t threads, items, blocks, launched, rows, states;
  };
  Panels panels{};
  if (!has_words && rows >= long_axis && columns >= narrow) {
    panels = rows < longest_axis ? Panels{256, 6, 2, 2, 49, 1} : Panels{128, 4, 3, 3, 65, 2};
  } else if (has_words && rows >= longer_axis && columns > narrow && columns < wide) {
    panels = Panels{64, 4, 6, 6, 129, 1};
  } else if (has_words && rows >= long_axis && columns >= wide && rows + columns >= many_items) {
    panels = Panels{256, 6, 2, 8, 97, 1};
  } else {
    return false;
  }
  values.threads_per_block = panels.threads;
  values.items_per_thread = panels.items;
  values.minimum_blocks = panels.blocks;
  values.blocks_per_multiprocessor = panels.launched;
  values.rows_per_thread = panels.rows;
  values.states_per_lane = panels.states;
  values.panel_width = 32;
  values.contiguous_columns = 16;
  return true;
}

// Whether each block has several tiles, one after the other. Otherwise all load at the same time, and all store. With
// five rounds of smaller tiles instead of two and a half, 2^26 items of i8 took up to a tenth longer (H100, driver
// 580.159.04, 2026-11-26).
bool has_rounds(const Problem& problem, const AxisPanelsValues& values, const DeviceLimits& limits) {
  constexpr std::uint64_t rounds = 2;
  const std::int64_t blocks = values.minimum_blocks * std::max(limits.multiprocessors, 1);
  return input_bytes(problem, problem.size) / static_cast<std::uint64_t>(blocks * tile_bytes(problem, values)) >=
         rounds;
}

// SharedStorage of templates/kernel/scan.axis_panels.cuh.
std::int64_t shared_bytes(const Problem& problem, const AxisPanelsValues& values) {
  const std::int64_t items = stage_items(problem, values);
  const auto size = static_cast<std::int64_t>(size_of(problem.input));
  const bool results_fit = size_of(problem.input) == size_of(problem.output);
  const tiles::Layout stage =
      tiles::union_of({tiles::array_of(problem.input, items), tiles::array_of(problem.output, results_fit ? items : 1),
                       tiles::array_of_words(16, items * size / 16)});
  const tiles::Layout accumulator = tiles::accumulator_layout(problem);
  const tiles::Layout folds =
      tiles::struct_of({tiles::array_of(accumulator, values.threads_per_block * values.columns_per_thread),
                        tiles::array_of(accumulator, std::max(values.panel_columns(), values.row_columns()))});
  const tiles::Layout all_tiles = tiles::struct_of({tiles::array_of_words(8, 2), tiles::array_of_words(4, 6)});
  const tiles::Layout tile = tiles::struct_of({tiles::array_of_words(4, 3), tiles::array_of_words(8, 3)});
  return tiles::struct_of({stage, folds, all_tiles, tile, tiles::array_of_words(4, 2)}).size;
}

class ScanAxisPanels final : public DescribedSchedule<AxisPanelsValues> {
 public:
  ScanAxisPanels()
      : DescribedSchedule("axis_panels",
                          "Single-pass scan of tiles of rows and columns, which wait in shared memory. Each column of "
                          "a tile gets its prefix by decoupled look-back over the tiles before it along the axis.",
                          "upsweep. Look-back: Merrill and Garland, \"Single-pass Parallel Prefix Scan with Decoupled "
                          "Look-back\", NVIDIA Technical Report NVR-2016-002, 2016") {}

  [[nodiscard]] bool supports(const Problem& problem) const override { return is_scan_along_axis(problem); }
  [[nodiscard]] std::string_view tile_unit() const noexcept override { return "row"; }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const override {
    std::vector<Constraint> all = axis_panels::constraints("`copies=async` needs compute capability 8.0.");
    all.push_back({"width",
                   "Panels have at most as many columns as a block has threads, and `contiguous_columns` is at most "
                   "half as many."});
    return all;
  }

 protected:
  // Tiles as large as leave each multiprocessor room for three: while one waits for its prefixes, the others load.
  // Where there are few items, tiles are smaller. Of a fast memory, panels are twice as wide: 2^26 items of f32 along
  // axes of 4,096 x 16,384 and 4,096 x 256 take 143 and 149 us so, and 147 and 162 us otherwise, and 2^25 of i64 along
  // 4,096 x 256 146 and 153 us (H200, driver 580.159.04, 2026-11-28).
  [[nodiscard]] AxisPanelsValues default_values(const Problem& problem, const DeviceLimits& limits) const override {
    constexpr std::int64_t blocks = 3;
    AxisPanelsValues values;
    values.set_defaults(problem, limits);
    values.minimum_blocks = values.blocks_per_multiprocessor = blocks;
    if (limits.compute_capability >= 80) values.copies = Copies::async;
    values.columns_per_thread = axis_panels::columns_of_bytes(problem, 4);
    const auto accumulator = static_cast<std::int64_t>(size_of(problem.accumulator));
    values.states_per_lane = accumulator <= 8 ? 8 : accumulator <= 16 ? 4 : 1;
    const auto size = static_cast<std::int64_t>(size_of(problem.input));
    const bool is_wide = has_even_axes_in_fast_memory(problem, limits);
    const std::int64_t width =
        std::clamp<std::int64_t>((is_wide ? 256 : 128) / size / values.columns_per_thread, 4, is_wide ? 64 : 32);
    values.panel_width = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(width)));
    // The more columns there are, the fewer tiles a chain has.
    const std::uint64_t inner = inner_of(problem, problem.size);
    if (inner >= 48) values.states_per_lane = std::min<std::int64_t>(values.states_per_lane, 4);
    values.contiguous_columns = 64;
    if (AxisPanelsValues of_long = values;
        set_panels_of_long_axes(problem, limits, of_long) && check(problem, of_long, limits).empty()) {
      return of_long;
    }
    for (const std::int64_t rows : {65, 49, 33, 25, 17, 9, 5, 3, 1}) {
      values.rows_per_thread = rows;
      const bool is_small = rows <= 9 || has_rounds(problem, values, limits);
      if (is_small && tile_bytes(problem, values) <= 68 << 10 && check(problem, values, limits).empty()) return values;
    }
    while (values.minimum_blocks > 1 && !check(problem, values, limits).empty()) --values.minimum_blocks;
    while (values.threads_per_block > 64 && !check(problem, values, limits).empty()) values.threads_per_block /= 2;
    return values;
  }
  [[nodiscard]] std::vector<AxisPanelsValues> seed_values(const Problem& problem,
                                                          const DeviceLimits& limits) const override {
    struct Shape {
      std::int64_t threads, rows, blocks;
    };
    std::vector<AxisPanelsValues> found;
    for (const Shape& shape :
         {Shape{256, 65, 3}, {256, 97, 2}, {256, 33, 3}, {256, 33, 4}, {256, 17, 4}, {128, 65, 6}}) {
      for (const std::int64_t width : {16, 32}) {
        for (const std::int64_t columns : {16, 64}) {
          AxisPanelsValues values = default_values(problem, limits);
          values.threads_per_block = shape.threads;
          values.rows_per_thread = shape.rows;
          values.minimum_blocks = values.blocks_per_multiprocessor = shape.blocks;
          values.panel_width = width;
          values.contiguous_columns = columns;
          found.push_back(values);
        }
      }
    }
    return found;
  }
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const AxisPanelsValues& values,
                                               const DeviceLimits& limits) const override {
    std::vector<std::string> found = axis_panels::violations(problem, values, limits, shared_bytes(problem, values),
                                                             "rows_per_thread, threads_per_block");
    axis_panels::check_width(found, "panel_width", values.panel_width, values);
    if (values.panel_width <= values.threads_per_block && values.panel_columns() > values.threads_per_block) {
      found.push_back(fmt::format(
          "width: panel_width={} and columns_per_thread={} are more columns than the {} threads of a block; "
          "use panel_width={} or less",
          values.panel_width, values.columns_per_thread, values.threads_per_block,
          values.threads_per_block / values.columns_per_thread));
    }
    if (values.row_columns() > values.threads_per_block) {
      found.push_back(fmt::format(
          "width: contiguous_columns={} stands for up to {} columns, but a block has {} threads; use "
          "contiguous_columns={} or less",
          values.contiguous_columns, values.row_columns(), values.threads_per_block, values.threads_per_block / 2));
    }
    if (values.copies == Copies::async && limits.compute_capability < 80) {
      found.push_back("compute capability: copies=async needs 8.0 or higher; use copies=loads");
    }
    return found;
  }
  // How far a tile looks back, and so which values it combines, depends on timing.
  [[nodiscard]] bool is_association_fixed(const AxisPanelsValues&) const override { return false; }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const AxisPanelsValues& values) const override {
    Recipe recipe = axis_panels::recipe(problem, values, "kernel/scan.axis_panels.cuh");
    recipe.roles["block/axis_copies"] = upsweep::copies.name_of(values.copies);
    const std::int64_t most_columns = std::max(values.panel_columns(), values.row_columns());
    recipe.parameters += tiles::constant("int", "rows_per_thread", values.rows_per_thread) +
                         tiles::constant("int", "panel_width", values.panel_width) +
                         tiles::constant("int", "panel_columns", most_columns) +
                         tiles::constant("int", "contiguous_columns", values.contiguous_columns) +
                         tiles::constant("int", "stage_items", stage_items(problem, values)) +
                         tiles::constant("int", "states_per_lane", values.states_per_lane);
    // Each column of each tile has a descriptor. The tiles of a column have about equally many rows, and so at least
    // half as many as a tile can have: there are at most twice as many tiles as there are items for.
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
