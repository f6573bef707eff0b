// axis_lookahead: persistent blocks along an axis, with warps that each do one thing, and bulk copies several stages
// deep.
#include <algorithm>

#include <fmt/format.h>

#include "generator/algorithm.hpp"
#include "generator/described_schedule.hpp"
#include "generator/schedules/axis_panels.hpp"
#include "generator/schedules/lookahead_ring.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/shape.hpp"
#include "generator/tile_access.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_recipe.hpp"

namespace upsweep {
namespace {

constexpr std::int64_t warp_size = 32;

constinit const CountParameter axis_worker_warps{"worker_warps",
                                                 "Number of warps in each block that scan tiles. Each block has a "
                                                 "loader warp and a storer warp, too, `reducer_warps` warps that "
                                                 "reduce tiles, and `exchange_warps` publisher warps, look-ahead "
                                                 "warps and closer warps each.",
                                                 {2, 4, 8, 12, 16, 20}};

constinit const CountParameter reducer_warps{
    "reducer_warps", "Number of warps in each block that reduce tiles as soon as they are loaded.", {1, 2, 4, 8, 12}};

constinit const CountParameter exchange_warps{
    "exchange_warps",
    "Number of publisher warps of a block, and of look-ahead warps. They share the columns of a tile.",
    {1, 2, 4, 8}};

constinit const CountParameter axis_vectors_per_thread{
    "vectors_per_thread",
    "Size of a tile: number of 16-byte vectors that each worker thread would have if the vectors of the tile were "
    "divided evenly.",
    {1, 2, 3, 4, 5, 6, 7, 8, 10, 12}};

constinit const CountParameter axis_stages{"stages",
                                           "Number of tiles that fit in the ring buffer of a block, in shared memory.",
                                           {2, 3, 4, 5, 6, 7, 8, 9, 10}};

constinit const CountParameter axis_states_per_lane{
    "states_per_lane",
    "Number of descriptors of a column that each lane of a look-ahead warp reads at once.",
    {1, 2, 4, 8}};

constinit const CountParameter tiles_per_span{
    "tiles_per_span",
    "Number of neighbouring tiles whose total is published as one descriptor for each column, too. A tile reads such "
    "descriptors, and those of fewer tiles than this number. 1: it reads those of tiles only.",
    {1, 4, 8, 16, 32}};

constinit const CountParameter most_panel_columns{
    "panel_columns",
    "Largest number of columns of a tile. Where the axes behind the scanned one have at most so many items, tiles are "
    "whole rows, which are contiguous memory.",
    {32, 64, 128, 256}};

struct AxisLookaheadValues : LaunchValues {
  std::int64_t worker_warps = 8;
  std::int64_t reducer_warps = 4;
  std::int64_t exchange_warps = 4;
  std::int64_t vectors_per_thread = 10;
  std::int64_t stages = 5;
  std::int64_t columns_per_thread = 1;
  std::int64_t items_per_thread = 4;
  std::int64_t panel_columns = 128;
  std::int64_t states_per_lane = 4;
  std::int64_t tiles_per_span = 16;
  std::int64_t blocks_per_multiprocessor = 1;
  tiles::Descriptor descriptor = tiles::Descriptor::packed;

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visitor(values.worker_warps, axis_worker_warps);
    visitor(values.reducer_warps, upsweep::reducer_warps);
    visitor(values.exchange_warps, upsweep::exchange_warps);
    visitor(values.vectors_per_thread, axis_vectors_per_thread);
    visitor(values.stages, axis_stages);
    visitor(values.columns_per_thread, axis_panels::columns_per_thread);
    visitor(values.items_per_thread, axis_panels::items_per_thread);
    visitor(values.panel_columns, most_panel_columns);
    visitor(values.states_per_lane, axis_states_per_lane);
    visitor(values.tiles_per_span, upsweep::tiles_per_span);
    visitor(values.blocks_per_multiprocessor, lookahead::blocks_per_multiprocessor);
    visitor(values.descriptor, tiles::descriptor);
    LaunchValues::visit(values, problem, visitor);
  }

  [[nodiscard]] std::int64_t worker_threads() const { return worker_warps * warp_size; }
  [[nodiscard]] std::int64_t threads() const {
    return (worker_warps + reducer_warps + 2 + 3 * exchange_warps) * warp_size;
  }
};

std::int64_t vector_items(const Problem& problem) {
  return 16 / static_cast<std::int64_t>(size_of(problem.input));
}

// Items of a stage: those of a tile, and a few more where they begin behind a vector of 16 bytes.
std::int64_t stage_items(const Problem& problem, const AxisLookaheadValues& values) {
  return (values.worker_threads() * values.vectors_per_thread + 1) * vector_items(problem);
}

// Of a tile of the most columns: what descriptors are counted by.
std::int64_t least_rows(const Problem& problem, const AxisLookaheadValues& values) {
  const std::int64_t items = vector_items(problem);
  return (stage_items(problem, values) - items) / values.panel_columns / items * items;
}

// SharedStorage of templates/kernel/scan.axis_lookahead.cuh.
std::int64_t shared_bytes(const Problem& problem, const AxisLookaheadValues& values) {
  const std::int64_t stages = values.stages, threads = values.worker_threads();
  const tiles::Layout stage = tiles::union_of({tiles::array_of(problem.input, stage_items(problem, values)),
                                               tiles::array_of_words(16, threads * values.vectors_per_thread + 1)});
  const tiles::Layout accumulator = tiles::accumulator_layout(problem);
  const tiles::Layout tile = tiles::struct_of({tiles::array_of_words(4, 6), tiles::array_of_words(8, 2)});
  return tiles::struct_of(
             {tiles::array_of(stage, stages),
              tiles::array_of(accumulator, stages * (threads * values.columns_per_thread + values.panel_columns)),
              tiles::array_of(accumulator, 2 * stages * values.panel_columns), tiles::array_of_words(8, 6 * stages),
              tiles::array_of(tile, stages), tiles::array_of_words(4, 1), tiles::array_of_words(1, stages * threads)})
      .size;
}

// Rows that do not fill vectors of 16 bytes, or begin within lines of 128 bytes. 2^26 items of f16 and i8 along axes of
// 2^16 x 67 take 117 and 71 us with 8 reducer warps and 121 and 78 us with 4; with two columns and six items per
// thread, two states per lane and 8 reducer warps, as many of i8 along axes of 2^16 x 67, 100 and 127 take 67, 70 and
// 69 us and otherwise 70, 72 and 71 us. Odd numbers of f32 begin at any item: along axes of 1,000,003 x 67 and 2^16 x
// 67 they take 227 and 221 us so and 232 and 226 us otherwise, but along 2^16 x 31 214 and 204 us, and 2^16 x 50 218
// and 208 us. Few columns, as in axes of 22,369,621 x 3, 2^22 x 5 and 2^22 x 7, take 201, 194 and 181 us with more
// reducer warps, smaller stages and two columns per thread, and otherwise 206, 200 and 200 us. The times along shorter
// axes in shape_defaults.cpp are with two states per lane (H100, driver 580.159.04, 2026-11-28). Several
// arrays of 2^16 x 7, 2^18 x 7 and 2^18 x 9 take 159, 160 and 159 us with more reducer warps, and 175, 183 and 165 us
// without, but those of 2^16 x 5 162 and 155 us. 64 arrays of 349,525 x 3 take 158 us with one column per thread and
// eight states per lane, 162 us with two columns, and 166 us without more reducer warps (H200, the same driver and
// day).
void set_defaults_of_unaligned_rows(const Problem& problem, AxisLookaheadValues& values) {
  constexpr std::uint64_t long_axis = 1 << 15, longer_axis = 1 << 20, line = 128;
  constexpr std::uint64_t few_columns = 12, least_columns = 24, many_columns = 32, most_odd = 64, most_columns = 128;
  const std::uint64_t columns = inner_of(problem, problem.size), rows = problem.row_length;
  const std::size_t item = size_of(problem.input);
  const bool is_odd = item == 4 && columns % 2 == 1;
  if (item < 4 && has_uneven_rows(problem) && rows >= long_axis) values.reducer_warps = 8;
  const bool pairs_columns =
      (item == 1 && has_uneven_rows(problem) && columns >= least_columns && columns <= most_columns) ||
      (is_odd && columns > many_columns && columns <= most_odd);
  if (pairs_columns && rows >= long_axis) {
    values.columns_per_thread = 2;
    values.items_per_thread = 6;
    values.states_per_lane = 2;
  }
  constexpr std::uint64_t least_rows = 512;
  if (item == 4 && row_alignment(problem) < line && columns >= least_columns && rows >= least_rows &&
      rows < long_axis) {
    values.states_per_lane = 2;
  }
  if (!is_odd || columns == 1 || columns >= few_columns || rows < long_axis) return;
  values.reducer_warps = 8;
  values.vectors_per_thread = 7;
  values.stages = 7;
  values.columns_per_thread = 2;
  constexpr std::uint64_t three_columns = 3;
  if (columns > three_columns || rows >= longer_axis) return;
  values.vectors_per_thread = 8;
  values.stages = 6;
  values.columns_per_thread = 1;
  values.items_per_thread = 6;
  values.states_per_lane = 8;
}

class ScanAxisLookahead final : public DescribedSchedule<AxisLookaheadValues> {
 public:
  ScanAxisLookahead()
      : DescribedSchedule(
            "axis_lookahead",
            "Persistent blocks with specialised warps, as in the schedule lookahead. Tiles are rows of all columns, or "
            "of a panel of columns, and an axis may begin at any row. Reducer warps reduce each tile as soon as it is "
            "loaded. Publisher warps publish the total of each column "
            "of a tile, and closer warps those of spans of tiles. Look-ahead warps combine those of the tiles and "
            "spans before.",
            "upsweep (docs/kernels.md, section 3)") {}

  // Results take the place of items.
  [[nodiscard]] bool supports(const Problem& problem) const override {
    return is_scan_along_axis(problem) && tiles::fills_vectors(problem.input) && tiles::fills_vectors(problem.output) &&
           size_of(problem.input) == size_of(problem.output);
  }
  [[nodiscard]] std::string_view tile_unit() const noexcept override { return "row"; }
  // The schedule keeps all multiprocessors busy with tiles to load, or it is not worth its start.
  [[nodiscard]] bool suits(const Problem& problem) const override {
    return input_bytes(problem, problem.size) >= (std::uint64_t{1} << 18);
  }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const override {
    std::vector<Constraint> all =
        axis_panels::constraints("The schedule needs compute capability 9.0, because it uses bulk copies.");
    all.push_back({"width",
                   "Tiles have at most as many columns as a block has worker threads, at most 32 for each of "
                   "`exchange_warps`, and room for as many rows as a vector of 16 bytes has items."});
    return all;
  }

 protected:
  [[nodiscard]] AxisLookaheadValues default_values(const Problem& problem, const DeviceLimits& limits) const override {
    AxisLookaheadValues values;
    values.set_defaults(problem, limits);
    values.columns_per_thread = axis_panels::columns_of_bytes(problem, 4);
    // Fewer warps are faster where they suffice for the columns.
    constexpr std::uint64_t few_columns = 32;
    if (inner_of(problem, problem.size) <= few_columns) {
      values.exchange_warps = 2;
      values.panel_columns = 64;
    }
    set_defaults_of_unaligned_rows(problem, values);
    while (values.stages > 2 && !check(problem, values, limits).empty()) --values.stages;
    while (values.columns_per_thread > 1 && !check(problem, values, limits).empty()) values.columns_per_thread /= 2;
    while (values.worker_warps > 4 && !check(problem, values, limits).empty()) values.worker_warps -= 4;
    while (values.panel_columns > 32 && !check(problem, values, limits).empty()) values.panel_columns /= 2;
    return values;
  }
  [[nodiscard]] std::vector<AxisLookaheadValues> seed_values(const Problem& problem,
                                                             const DeviceLimits& limits) const override {
    struct Shape {
      std::int64_t warps, vectors, stages, reducers;
    };
    std::vector<AxisLookaheadValues> found;
    for (const Shape& shape : {Shape{8, 10, 5, 4}, {8, 8, 6, 4}, {8, 6, 8, 4}, {8, 7, 7, 4}, {12, 5, 7, 4}}) {
      AxisLookaheadValues values = default_values(problem, limits);
      values.worker_warps = shape.warps;
      values.vectors_per_thread = shape.vectors;
      values.stages = shape.stages;
      values.reducer_warps = shape.reducers;
      found.push_back(values);
    }
    return found;
  }
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const AxisLookaheadValues& values,
                                               const DeviceLimits& limits) const override {
    const auto accumulator = static_cast<std::int64_t>(tiles::accumulator_layout(problem).size);
    const std::int64_t item_words =
        (values.columns_per_thread * static_cast<std::int64_t>(size_of(problem.input)) + 3) / 4;
    const std::int64_t folds = 2 * values.columns_per_thread * ((accumulator + 3) / 4);
    // Where each of a reducer thread's groups has its rows.
    const std::int64_t places = 4 * ((values.worker_warps + values.reducer_warps - 1) / values.reducer_warps);
    std::vector<std::string> found =
        tiles::block_violations(limits, {.threads = values.threads(),
                                         .blocks = values.blocks_per_multiprocessor,
                                         .shared_bytes = shared_bytes(problem, values),
                                         .registers = item_words * values.items_per_thread + folds + places + 28,
                                         .threads_from = "worker_warps, reducer_warps or exchange_warps",
                                         .blocks_from = "blocks_per_multiprocessor",
                                         .shared_bytes_from = "worker_warps, vectors_per_thread or stages",
                                         .items_from = "items_per_thread or columns_per_thread"});
    if (limits.compute_capability < 90) {
      found.push_back(
          "compute capability: the schedule axis_lookahead needs 9.0 or higher; use the schedule axis_panels");
    }
    check_columns(problem, values, found);
    return found;
  }
  // Which spans a tile combines at once depends on timing.
  [[nodiscard]] bool is_association_fixed(const AxisLookaheadValues&) const override { return false; }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const AxisLookaheadValues& values) const override {
    Recipe recipe;
    recipe.kernel = "kernel/scan.axis_lookahead.cuh";
    recipe.parameters = tiles::type_block(problem) + tiles::constant("int", "threads_per_block", values.threads()) +
                        tiles::constant("int", "minimum_blocks", values.blocks_per_multiprocessor) +
                        tiles::constant("int", "worker_warps", values.worker_warps) +
                        tiles::constant("int", "exchange_warps", values.exchange_warps) +
                        tiles::constant("int", "stages", values.stages) +
                        tiles::constant("int", "reducer_warps", values.reducer_warps) +
                        tiles::constant("int", "items_per_thread", values.items_per_thread) +
                        tiles::constant("int", "columns_per_thread", values.columns_per_thread) +
                        tiles::constant("int", "panel_columns", values.panel_columns) +
                        tiles::constant("int", "stage_items", stage_items(problem, values)) +
                        tiles::constant("int", "states_per_lane", values.states_per_lane) +
                        tiles::constant("int", "tiles_per_span", values.tiles_per_span);
    recipe.launch.grid = GridRule::persistent;
    recipe.launch.threads_per_block = static_cast<int>(values.threads());
    recipe.launch.blocks_per_multiprocessor = static_cast<int>(values.blocks_per_multiprocessor);
    recipe.launch.items_per_tile = static_cast<std::uint64_t>(least_rows(problem, values));
    tiles::place_descriptors(recipe, tiles::accumulator_layout(problem), values.descriptor, "axis_tickets", true);
    // Each column of each tile has a descriptor, and of each span. There are at most twice as many tiles as there are
    // items for, as a panel has at least two where anything is published.
    recipe.workspace.slot_bytes *= 2;
    tiles::place_storage(recipe, shared_bytes(problem, values));
    return {recipe};
  }

 private:
  static void check_columns(const Problem& problem, const AxisLookaheadValues& values,
                            std::vector<std::string>& found) {
    const auto size = static_cast<std::int64_t>(size_of(problem.input));
    if (values.columns_per_thread > 1 && 16 % (values.columns_per_thread * size) != 0) {
      found.push_back(fmt::format(
          "columns: {} columns of {} bytes do not fill a vector of at most 16 bytes; use columns_per_thread={}",
          values.columns_per_thread, size, axis_panels::columns_of_bytes(problem, 16)));
    }
    const std::int64_t most = std::min(values.worker_threads(), warp_size * values.exchange_warps);
    if (values.panel_columns > most) {
      found.push_back(
          fmt::format("width: panel_columns={} is more than the {} worker threads, or 32 for each of the {} "
                      "exchange_warps; use panel_columns={} or less",
                      values.panel_columns, values.worker_threads(), values.exchange_warps, most));
    }
    if (least_rows(problem, values) == 0) {
      found.push_back(fmt::format(
          "width: a tile has no room for {} rows of {} columns; use a smaller panel_columns or more vectors_per_thread",
          vector_items(problem), values.panel_columns));
    }
  }
};

}  // namespace

const Schedule& scan_axis_lookahead() {
  return *new const ScanAxisLookahead;
}

}  // namespace upsweep
