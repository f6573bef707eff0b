// axis_shares: blocks take shares of neighbouring rows, which wait in a ring of stages.
#include <algorithm>

#include <fmt/format.h>

#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/bytes.hpp"
#include "generator/described_schedule.hpp"
#include "generator/operator.hpp"
#include "generator/schedules/axis_panels.hpp"
#include "generator/schedules/lookahead_ring.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_recipe.hpp"

namespace upsweep {
namespace {

using lookahead::Fill;

constinit const CountParameter stage_kib{
    "stage_kib",
    "Size of a stage of the ring buffer, in KiB. A tile has as many whole rows as fit into a stage.",
    {1, 2, 4, 8, 12, 16, 24, 32, 48, 64}};

struct AxisSharesValues : axis_panels::ColumnValues {
  std::int64_t panel_width = 128;
  std::int64_t stages = 4;
  std::int64_t stage_kib = 16;
  Fill fill = Fill::async;

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visitor(values.threads_per_block, tiles::threads_per_block);
    visitor(values.columns_per_thread, axis_panels::columns_per_thread);
    visitor(values.items_per_thread, axis_panels::items_per_thread);
    visitor(values.blocks_per_multiprocessor, lookahead::blocks_per_multiprocessor);
    visitor(values.panel_width, axis_panels::panel_width);
    visitor(values.stages, lookahead::stages);
    visitor(values.stage_kib, upsweep::stage_kib);
    visitor(values.fill, lookahead::fill);
    LaunchValues::visit(values, problem, visitor);
  }

  [[nodiscard]] std::int64_t fold_threads() const { return threads_per_block - 32; }  // all but those of a warp
  [[nodiscard]] std::int64_t stage_bytes() const { return stage_kib << 10; }
  // share_columns of templates/block/axis_shares.cuh.
  [[nodiscard]] std::int64_t share_columns() const { return 2 * panel_width * columns_per_thread; }
};

// SharedStorage of templates/kernel/reduce.axis_shares_short.cuh.
std::int64_t shared_bytes(const Problem& problem, const AxisSharesValues& values) {
  constexpr std::int64_t slack_bytes = 64;
  const tiles::Layout accumulator = tiles::accumulator_layout(problem);
  const tiles::Layout tile =
      tiles::struct_of({tiles::array_of_words(8, 1), tiles::array_of_words(4, 6), tiles::Layout{4, 1}});
  return tiles::struct_of({tiles::Layout{values.stages * (values.stage_bytes() + slack_bytes), 128},
                           tiles::array_of(tile, values.stages),
                           tiles::array_of(accumulator, 2 * values.fold_threads() * values.columns_per_thread),
                           tiles::array_of(accumulator, values.share_columns()),
                           tiles::array_of_words(8, 2 * values.stages + 1), tiles::array_of_words(4, 1)})
      .size;
}

// Rows of bytes that do not fill vectors take more instructions per byte. 2^26 items of i8 along axes of 64 x 3, 64 x
// 15, 64 x 67, 1,024 x 67, 2^16 x 67 and 1,024 x 33 take 35, 35, 35, 37, 36 and 43 us with 512 threads and 37, 36, 36,
// 41, 38 and 43 us with 288, but 1,024 x 3 and 1,024 x 7 39 and 38 us and 37 and 37 us; 64 x 100 33 and 31 us (H100,
// driver 580.159.04, 2026-11-28).
bool has_busy_threads(const Problem& problem) {
  constexpr std::uint64_t few_rows = 256, many_columns = 32;
  return size_of(problem.input) == 1 && problem.inner % 2 == 1 &&
         (problem.inner > many_columns || problem.row_length <= few_rows);
}

class ReduceAxisShares final : public DescribedSchedule<AxisSharesValues> {
 public:
  ReduceAxisShares()
      : DescribedSchedule("axis_shares",
                          "Each block takes shares of neighbouring rows of the array, one after the other, so that "
                          "blocks whose memory is slow take fewer. One warp loads them tile by tile "
                          "to a ring buffer in shared memory, and the other warps fold them column by column. A block "
                          "that has the first rows of an axis, but not its last ones, completes it with the partial "
                          "results of others, in their order.",
                          "upsweep. Equal shares with partial results at their ends: Merrill and Garland, "
                          "\"Merge-based Parallel Sparse Matrix-vector Multiplication\", SC 2016") {}

  [[nodiscard]] bool supports(const Problem& problem) const override { return is_fold_along_axis(problem); }
  // Of rows that are wider than two panels, each takes a copy of its own, of a few hundred bytes.
  [[nodiscard]] bool suits(const Problem& problem) const override { return problem.inner <= 256; }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const override {
    std::vector<Constraint> all = axis_panels::constraints(
        "The schedule needs compute capability 8.0, because it uses asynchronous copies. `fill=bulk` and "
        "`fill=bulk_once` need compute capability 9.0.");
    all.push_back({"width", "A block has threads for two panels, and a warp that loads tiles."});
    all.push_back({"stage_kib", "A stage has room for a row of two panels."});
    return all;
  }

 protected:
  // One block of about 192 KiB of stages. Where stages of 64 KiB have whole axes, they have more of them. Short axes
  // have many results, and more threads for them. 2^26 items of f32 take so long with 3 stages of 64 KiB and 4 of 48:
  // 1024 x 3 71 and 77 us, 64 x 67 72 and 74 us, 2^20 x 3 76 and 75 us; 4 x 67 92 us with 448 threads and 114 us with
  // 288 (H200, driver 580.159.04, 2026-11-26).
  [[nodiscard]] AxisSharesValues default_values(const Problem& problem, const DeviceLimits& limits) const override {
    constexpr std::uint64_t few_rows = 8, fitting_bytes = 32 << 10;
    AxisSharesValues values;
    values.set_defaults(problem, limits);
    values.blocks_per_multiprocessor = 1;
    const bool is_short = problem.row_length <= few_rows;
    values.threads_per_block = is_short ? 448 : has_busy_threads(problem) ? 512 : 288;
    values.columns_per_thread = axis_panels::columns_of_bytes(problem, 4);
    values.items_per_thread = axis_panels::rows_of_bytes(problem, values.columns_per_thread, 32);
    const bool fits_often = !is_short && bytes_of(problem.row_length * problem.inner, problem.input) <= fitting_bytes;
    values.stages = fits_often ? 3 : 4;
    if (limits.compute_capability >= 90) values.fill = Fill::bulk;
    const auto is_too_large = [&] { return !check(problem, values, limits).empty(); };
    for (const std::int64_t kib : {64, 48, 32, 24, 16, 12, 8}) {
      if (kib == 64 && !fits_often) continue;
      values.stage_kib = kib;
      if (!is_too_large()) break;
    }
    while (values.panel_width > 16 && is_too_large()) values.panel_width /= 2;
    return values;
  }
  [[nodiscard]] std::vector<AxisSharesValues> seed_values(const Problem& problem,
                                                          const DeviceLimits& limits) const override {
    struct Shape {
      std::int64_t threads, blocks, stages, kib;
    };
    std::vector<AxisSharesValues> found;
    for (const Shape& shape :
         {Shape{288, 1, 3, 64}, {288, 1, 4, 48}, {448, 1, 4, 48}, {288, 1, 6, 32}, {288, 2, 4, 24}, {160, 2, 4, 24}}) {
      AxisSharesValues values = default_values(problem, limits);
      values.threads_per_block = shape.threads;
      values.blocks_per_multiprocessor = shape.blocks;
      values.stages = shape.stages;
      values.stage_kib = shape.kib;
      values.panel_width = std::min<std::int64_t>(values.panel_width, shape.threads > 256 ? 128 : 64);
      found.push_back(values);
    }
    return found;
  }
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const AxisSharesValues& values,
                                               const DeviceLimits& limits) const override {
    AxisSharesValues block = values;
    block.minimum_blocks = values.blocks_per_multiprocessor;
    std::vector<std::string> found =
        axis_panels::violations(problem, block, limits, shared_bytes(problem, values), "stages, stage_kib");
    if (limits.compute_capability < 80) {
      found.emplace_back(
          "compute capability: the schedule axis_shares needs 8.0 or higher; use the schedule axis_pieces");
    }
    if (values.fill != Fill::async && limits.compute_capability < 90) {
      found.push_back(fmt::format("compute capability: fill={} needs 9.0 or higher; use fill=async",
                                  lookahead::fill.name_of(values.fill)));
    }
    if (2 * values.panel_width > values.fold_threads()) {
      found.push_back(
          fmt::format("width: two panels of panel_width={} are more than the {} threads that fold; use a smaller "
                      "panel_width or more threads_per_block",
                      values.panel_width, values.fold_threads()));
    }
    const std::int64_t row = values.share_columns() * static_cast<std::int64_t>(size_of(problem.input));
    if (row > values.stage_bytes()) {
      found.push_back(
          fmt::format("stage_kib: a row of two panels has {} bytes, but a stage has {}; use a larger "
                      "stage_kib or a smaller panel_width",
                      row, values.stage_bytes()));
    }
    return found;
  }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const AxisSharesValues& values) const override {
    AxisSharesValues block = values;
    block.minimum_blocks = values.blocks_per_multiprocessor;
    Recipe recipe = axis_panels::recipe(problem, block, "kernel/reduce.axis_shares.cuh");
    recipe.parameters += tiles::constant("int", "panel_width", values.panel_width) +
                         tiles::constant("int", "stages", values.stages) +
                         tiles::constant("int", "stage_bytes", values.stage_bytes());
    recipe.parameters += fmt::format(
        "\n// Whether the operator does not commute: items are combined in their order.\nconstexpr bool "
        "in_order = {};\n",
        !is_commutative(problem.op));
    const bool is_bulk = values.fill != Fill::async;
    recipe.roles["pipeline/fill_runs"] = is_bulk ? "bulk" : "async";
    recipe.roles["pipeline/bulk_load"] = values.fill == Fill::bulk_once ? "once" : "keep";
    recipe.roles["pipeline/phase"] = is_bulk ? "suspend" : "poll";
    recipe.roles["tile/prefetch"] = is_bulk ? "bulk" : "none";
    recipe.launch.items_per_tile =
        static_cast<std::uint64_t>(values.stage_bytes()) / static_cast<std::uint64_t>(size_of(problem.input));
    tiles::place_storage(recipe, shared_bytes(problem, values));
    tiles::place_descriptors(recipe, tiles::accumulator_layout(problem), tiles::Descriptor::packed, "axis_shares",
                             false);
    recipe.workspace.slot_bytes *= static_cast<std::uint64_t>(values.share_columns());
    return {recipe};
  }
};

}  // namespace

const Schedule& reduce_axis_shares() {
  return *new const ReduceAxisShares;
}

}  // namespace upsweep
