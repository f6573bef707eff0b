// axis_pipeline: blocks that scan or fold panels of columns alone, with warps that load, scan or fold, and store, and
// bulk copies several stages deep.
#include <algorithm>

#include <fmt/format.h>

#include "generator/bytes.hpp"
#include "generator/described_schedule.hpp"
#include "generator/device_limits.hpp"
#include "generator/schedules/axis_panels.hpp"
#include "generator/schedules/lookahead_ring.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/shape.hpp"
#include "generator/tile_access.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_recipe.hpp"

namespace upsweep {
namespace {

constinit const CountParameter pipeline_columns{
    "columns_per_thread",
    "Largest number of columns of a panel for each thread that scans or folds. A thread takes columns that are as many "
    "apart as there are such threads.",
    {1, 2, 3, 4, 6, 8}};

constinit const CountParameter pipeline_stage_kib{
    "stage_kib",
    "Size of a stage of the ring buffer, in KiB. A tile has at most as many rows of a panel as fit into a stage.",
    {1, 2, 4, 8, 12, 16, 24, 32, 48, 64}};

constinit const CountParameter rows_per_tile{
    "rows_per_tile",
    "About how many rows a tile has, where a panel has all columns of several arrays. With fewer rows, a panel has "
    "more arrays. Tiles have more rows if there are few arrays, and fewer if axes are short.",
    {12, 24, 48, 96}};

constinit const CountParameter pipeline_loader_warps{
    "loader_warps",
    "Number of warps of a block that load rows. With more, narrow panels are loaded faster.",
    {1, 2, 4}};

constinit const CountParameter pipeline_storer_warps{
    "storer_warps",
    "Number of warps of a block that store results. With more, narrow panels are stored faster.",
    {1, 2, 4}};

struct AxisPipelineValues : axis_panels::ColumnValues {
  std::int64_t stages = 4;
  std::int64_t stage_kib = 48;
  std::int64_t rows_per_tile = 48;
  std::int64_t loader_warps = 1;
  std::int64_t storer_warps = 0;  // of scans

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visitor(values.threads_per_block, tiles::threads_per_block);
    visitor(values.columns_per_thread, pipeline_columns);
    visitor(values.items_per_thread, axis_panels::items_per_thread);
    visitor(values.blocks_per_multiprocessor, lookahead::blocks_per_multiprocessor);
    visitor(values.stages, lookahead::stages);
    visitor(values.stage_kib, pipeline_stage_kib);
    visitor(values.rows_per_tile, upsweep::rows_per_tile);
    visitor(values.loader_warps, pipeline_loader_warps);
    if (is_scan_along_axis(problem)) visitor(values.storer_warps, pipeline_storer_warps);
    LaunchValues::visit(values, problem, visitor);
  }

  [[nodiscard]] std::int64_t worker_warps() const { return threads_per_block / 32 - loader_warps - storer_warps; }
  [[nodiscard]] std::int64_t columns() const { return 32 * worker_warps() * columns_per_thread; }
  [[nodiscard]] std::int64_t stage_bytes() const { return stage_kib << 10; }
};

constexpr std::int64_t run_grid = 32;  // of templates/thread/runs.cuh

// Of a row of the most columns in a stage: panels_of in templates/block/pipeline_panels.cuh.
std::int64_t pitch_of(const Problem& problem, const AxisPipelineValues& values) {
  const std::int64_t row = values.columns() * static_cast<std::int64_t>(size_of(problem.input));
  return (row + 2 * run_grid - 2) / run_grid * run_grid;
}

// PipelineRing of templates/pipeline/axis_ring.cuh; of scans, SharedStorage of
// templates/kernel/scan.axis_pipeline.cuh.
std::int64_t shared_bytes(const Problem& problem, const AxisPipelineValues& values) {
  const tiles::Layout tile =
      tiles::struct_of({tiles::array_of_words(8, 2), tiles::array_of_words(4, 3), tiles::array_of_words(1, 2)});
  const tiles::Layout panels =
      tiles::struct_of({tiles::array_of_words(8, 2), tiles::array_of_words(1, 2), tiles::array_of_words(4, 5)});
  const tiles::Layout ring =
      tiles::struct_of({tiles::Layout{values.stages * (values.stage_bytes() + 2 * run_grid), 128}, panels,
                        tiles::array_of(tile, values.stages), tiles::array_of_words(8, 2 * values.stages)});
  if (!is_scan_along_axis(problem)) return ring.size;
  return tiles::struct_of({ring, tiles::array_of_words(8, values.stages)}).size;
}

// The items of a batch of one column, what all columns of a thread have folded, and about 32 registers of addresses and
// counters.
std::int64_t registers(const Problem& problem, const AxisPipelineValues& values) {
  const auto words_of = [](std::size_t bytes) { return static_cast<std::int64_t>((bytes + 3) / 4); };
  return words_of(size_of(problem.input)) * values.items_per_thread +
         words_of(size_of(problem.accumulator)) * (values.columns_per_thread + 2) + 32;
}

bool has_too_many_registers(const Problem& problem, const AxisPipelineValues& values, const DeviceLimits& limits) {
  return !tiles::block_violations(limits, {.threads = values.threads_per_block,
                                           .blocks = values.blocks_per_multiprocessor,
                                           .shared_bytes = 1,
                                           .registers = registers(problem, values)})
              .empty();
}

class AxisPipeline : public DescribedSchedule<AxisPipelineValues> {
 public:
  using DescribedSchedule::DescribedSchedule;

  [[nodiscard]] std::string_view tile_unit() const noexcept override { return "column"; }
  // Narrower rows are many runs, and few columns leave most workers without one.
  [[nodiscard]] bool suits(const Problem& problem) const override {
    constexpr std::uint64_t narrow = 24, many_bytes = 4 << 20, least_columns = 2048;
    return bytes_of(problem.inner, problem.input) >= narrow && bytes_of(problem.size, problem.input) >= many_bytes &&
           axis_panels::expected_columns(problem) >= least_columns;
  }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const override {
    std::vector<Constraint> all = tiles::block_constraints();
    all.push_back(capability_constraint("The schedule needs compute capability 9.0, because it uses bulk copies."));
    all.push_back({"threads_per_block",
                   "A block has `loader_warps` warps that load, in scans `storer_warps` warps that store, and at least "
                   "one more."});
    all.push_back({"stage_kib", "A stage has room for a row of all columns of a block's threads."});
    return all;
  }

 protected:
  [[nodiscard]] AxisPipelineValues default_values(const Problem& problem, const DeviceLimits& limits) const override {
    AxisPipelineValues values;
    values.set_defaults(problem, limits);
    values.blocks_per_multiprocessor = 1;
    values.threads_per_block = 1024;
    values.storer_warps = is_scan_along_axis(problem) ? 2 : 0;
    values.columns_per_thread = std::clamp<std::int64_t>(16 / static_cast<std::int64_t>(size_of(problem.input)), 1, 8);
    values.items_per_thread = is_scan_along_axis(problem) ? 4 : 8;
    values.rows_per_tile = is_scan_along_axis(problem) ? 48 : 24;
    constexpr std::uint64_t many_rows = 384;  // mostly of few arrays, so that panels are narrow
    values.loader_warps = !is_scan_along_axis(problem) && problem.row_length >= many_rows ? 2 : 1;
    const auto is_too_large = [&] { return !check(problem, values, limits).empty(); };
    const auto has_too_many = [&] { return has_too_many_registers(problem, values, limits); };
    while (values.items_per_thread > 1 && has_too_many()) values.items_per_thread /= 2;
    while (values.columns_per_thread > 1 && has_too_many()) values.columns_per_thread /= 2;
    for (const std::int64_t kib : {48, 32, 24, 16}) {
      values.stage_kib = kib;
      if (!is_too_large()) return values;
    }
    while (values.stages > 2 && is_too_large()) --values.stages;
    while (values.columns_per_thread > 1 && is_too_large()) values.columns_per_thread /= 2;
    return values;
  }
  [[nodiscard]] std::vector<AxisPipelineValues> seed_values(const Problem& problem,
                                                            const DeviceLimits& limits) const override {
    struct Shape {
      std::int64_t threads, stages, kib;
    };
    std::vector<AxisPipelineValues> found;
    for (const Shape& shape : {Shape{1024, 4, 48}, {1024, 3, 64}, {512, 6, 32}, {512, 4, 48}, {256, 8, 24}}) {
      AxisPipelineValues values = default_values(problem, limits);
      values.threads_per_block = shape.threads;
      values.stages = shape.stages;
      values.stage_kib = shape.kib;
      found.push_back(values);
    }
    return found;
  }
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const AxisPipelineValues& values,
                                               const DeviceLimits& limits) const override {
    std::vector<std::string> found =
        tiles::block_violations(limits, {.threads = values.threads_per_block,
                                         .blocks = values.blocks_per_multiprocessor,
                                         .shared_bytes = shared_bytes(problem, values),
                                         .registers = registers(problem, values),
                                         .shared_bytes_from = "stages, stage_kib",
                                         .items_from = "items_per_thread or columns_per_thread"});
    if (limits.compute_capability < 90) {
      found.emplace_back(
          "compute capability: the schedule axis_pipeline needs 9.0 or higher; use the schedule axis_columns");
    }
    if (values.worker_warps() < 1) {
      found.push_back(fmt::format(
          "threads_per_block: {} threads are not enough for warps that load, scan and store; use {} or more",
          values.threads_per_block, 32 * (1 + values.loader_warps + values.storer_warps)));
      return found;
    }
    if (pitch_of(problem, values) > values.stage_bytes()) {
      found.push_back(
          fmt::format("stage_kib: a row of {} columns takes {} bytes, but a stage has {}; use a larger stage_kib, "
                      "fewer columns_per_thread or fewer threads_per_block",
                      values.columns(), pitch_of(problem, values), values.stage_bytes()));
    }
    return found;
  }
  [[nodiscard]] static Recipe recipe_of(const Problem& problem, const AxisPipelineValues& values, const char* kernel) {
    AxisPipelineValues block = values;
    block.minimum_blocks = values.blocks_per_multiprocessor;
    Recipe recipe = axis_panels::recipe(problem, block, kernel);
    recipe.parameters += tiles::constant("int", "worker_warps", values.worker_warps()) +
                         tiles::constant("int", "stages", values.stages) +
                         tiles::constant("int", "stage_bytes", values.stage_bytes()) +
                         tiles::constant("int", "rows_per_tile", values.rows_per_tile) +
                         tiles::constant("int", "loader_warps", values.loader_warps);
    recipe.roles["pipeline/fill_runs"] = "bulk";
    // The fewest that a block takes: columns of one item. Blocks without a panel end at once.
    recipe.launch.items_per_tile = static_cast<std::uint64_t>(32 * values.worker_warps());
    tiles::place_storage(recipe, shared_bytes(problem, values));
    return recipe;
  }
};

class ScanAxisPipeline final : public AxisPipeline {
 public:
  ScanAxisPipeline()
      : AxisPipeline("axis_pipeline",
                     "Each block scans panels, which are neighbouring columns of wide rows or all columns of a few "
                     "arrays, from their first rows to their last ones, and waits for no other block. Some warps load "
                     "the rows by bulk copies to a ring buffer in shared memory, and others scan them there. A third "
                     "kind stores whole sectors by bulk copies, so that rows may begin at any address. If input and "
                     "output do not have the same address modulo 32 bytes, results take stages of their own. This "
                     "schedule is meant for many columns.",
                     "upsweep") {}

  // Results take as many bytes as items.
  [[nodiscard]] bool supports(const Problem& problem) const override {
    return is_scan_along_axis(problem) && tiles::fills_vectors(problem.input) && tiles::fills_vectors(problem.output) &&
           size_of(problem.input) == size_of(problem.output);
  }

 protected:
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const AxisPipelineValues& values) const override {
    Recipe recipe = recipe_of(problem, values, "kernel/scan.axis_pipeline.cuh");
    recipe.parameters += tiles::constant("int", "storer_warps", values.storer_warps);
    return {recipe};
  }
};

class ReduceAxisPipeline final : public AxisPipeline {
 public:
  ReduceAxisPipeline()
      : AxisPipeline("axis_pipeline",
                     "Each block folds panels, which are neighbouring columns of wide rows or all columns of a few "
                     "arrays, from their first rows to their last ones, and waits for no other block. Some warps load "
                     "the rows by bulk copies to a ring buffer in shared memory, from any address, and others fold "
                     "them there. This schedule is meant for many columns.",
                     "upsweep") {}

  [[nodiscard]] bool supports(const Problem& problem) const override {
    return is_fold_along_axis(problem) && tiles::fills_vectors(problem.input);
  }

 protected:
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const AxisPipelineValues& values) const override {
    return {recipe_of(problem, values, "kernel/reduce.axis_pipeline.cuh")};
  }
};

}  // namespace

const Schedule& scan_axis_pipeline() {
  return *new const ScanAxisPipeline;
}

const Schedule& reduce_axis_pipeline() {
  return *new const ReduceAxisPipeline;
}

}  // namespace upsweep
