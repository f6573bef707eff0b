// reduce_then_scan and scan_then_propagate: scans in three launches, the second of which scans totals.
#include <algorithm>

#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/described_schedule.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/tile_access.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_recipe.hpp"
#include "generator/tile_storage.hpp"

namespace upsweep {
namespace {

using tiles::BlockScan;

// Blelloch's tree halves the number of threads.
constinit const CountParameter three_step_threads{
    "threads_per_block", "Number of threads in each block: a power of two.", {64, 128, 256, 512, 1024}};

constinit const CountParameter three_step_items{
    "items_per_thread",
    "Number of consecutive items that each thread holds in registers (blocked arrangement). A tile has "
    "`threads_per_block` x `items_per_thread` items.",
    {1, 2, 4, 8, 16}};

constinit const CountParameter share_blocks{
    "blocks_per_multiprocessor",
    "Number of blocks that are launched per multiprocessor. At most one block per tile is launched.",
    {1, 2, 4, 8}};

struct ThreeStepValues : tiles::ScanValues {
  template <typename Self, typename Visitor>
  static void visit_own(Self& values, const Problem& problem, Visitor&& visitor) {
    visitor(values.threads_per_block, three_step_threads);
    visitor(values.items_per_thread, three_step_items);
    visitor(values.load, tiles::load);
    visitor(values.store, tiles::store(problem));
    visitor(values.warp_scan, tiles::warp_scan_of(problem));
    visitor(values.block_scan, tiles::any_block_scan);
  }
  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visit_own(values, problem, visitor);
    LaunchValues::visit(values, problem, visitor);
  }
};

struct ReduceThenScanValues : ThreeStepValues {
  std::int64_t blocks_per_multiprocessor = 4;

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visit_own(values, problem, visitor);
    visitor(values.blocks_per_multiprocessor, share_blocks);
    LaunchValues::visit(values, problem, visitor);
  }
};

// About 64 bytes of items per thread, as other scans have.
ThreeStepValues usual_values(const Problem& problem, const DeviceLimits& limits) {
  ThreeStepValues values;
  values.set_defaults(problem, limits);
  for (const std::int64_t items : three_step_items.values) {
    if (items <= tiles::items_for_bytes(problem, 64)) values.items_per_thread = items;
  }
  tiles::set_default_access(values, problem);
  return values;
}

// BlockReduceStorage of templates/block/reduce.warp_reduces.cuh.
tiles::Layout reduce_storage(const Problem& problem, const ThreeStepValues& values) {
  return tiles::array_of(tiles::accumulator_layout(problem), values.threads_per_block / 32);
}

// SharedStorage of templates/kernel/scan.downsweep.cuh and scan.tiles_alone.cuh.
tiles::Layout tile_storage(const Problem& problem, const ThreeStepValues& values) {
  return tiles::struct_of({tiles::scan_storage(problem, values)});
}

// SharedStorage of templates/kernel/scan.totals.cuh.
tiles::Layout totals_storage(const Problem& problem, const ThreeStepValues& values) {
  return tiles::struct_of({tiles::block_scan_storage(problem, values)});
}

// A step: what all have in common, its kernel and the bytes of its SharedStorage.
Recipe step_of(const Problem& problem, const ThreeStepValues& values, const ScratchRule& totals, const char* kernel,
               tiles::Layout storage) {
  Recipe recipe = tiles::scan_recipe(problem, values);
  recipe.kernel = kernel;
  recipe.roles["block/reduce"] = "warp_reduces";
  recipe.scratch = {totals, {.name = "total_count", .type = "u64", .item_bytes = sizeof(std::uint64_t), .items = 1}};
  tiles::place_storage(recipe, storage.size);
  return recipe;
}

ScratchRule totals_rule(const Problem& problem) {
  return {.name = "totals",
          .type = "Accumulator",
          .item_bytes = static_cast<std::uint64_t>(tiles::accumulator_layout(problem).size)};
}

Recipe scan_of_totals(const Problem& problem, const ThreeStepValues& values, const ScratchRule& totals) {
  Recipe recipe = step_of(problem, values, totals, "kernel/scan.totals.cuh", totals_storage(problem, values));
  recipe.launch.grid = GridRule::one_block;
  return recipe;
}

template <typename Values>
class ThreeSteps : public DescribedSchedule<Values> {
 public:
  using DescribedSchedule<Values>::DescribedSchedule;

  [[nodiscard]] bool is_baseline() const final { return true; }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const final { return tiles::tile_constraints({}); }
};

class ReduceThenScan final : public ThreeSteps<ReduceThenScanValues> {
 public:
  ReduceThenScan()
      : ThreeSteps("reduce_then_scan",
                   "Scan in three launches. First, each block reduces its share of the tiles. Then one block scans the "
                   "totals. Last, each block scans its share, from its prefix on. The items are read twice and the "
                   "results written once. The result is reproducible. A search seldom proposes this schedule.",
                   "Sengupta, Harris, Zhang and Owens, \"Scan Primitives for GPU Computing\", Graphics Hardware 2007; "
                   "Merrill and Garland, NVR-2016-002, 2016, section 3") {}

  [[nodiscard]] bool supports(const Problem& problem) const override {
    return is_scanned(problem) && is_dense(problem);
  }

 protected:
  [[nodiscard]] ReduceThenScanValues default_values(const Problem& problem, const DeviceLimits& limits) const override {
    return {usual_values(problem, limits)};
  }
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const ReduceThenScanValues& values,
                                               const DeviceLimits& limits) const override {
    const std::int64_t bytes = std::max(upsweep_storage(problem, values).size, tile_storage(problem, values).size);
    return tiles::tile_violations(problem, values, limits, bytes);
  }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const ReduceThenScanValues& values) const override {
    ScratchRule totals = totals_rule(problem);
    totals.items_per_multiprocessor = static_cast<std::uint64_t>(values.blocks_per_multiprocessor);
    const tiles::Layout upsweep = upsweep_storage(problem, values);
    const tiles::Layout downsweep = tile_storage(problem, values);
    std::vector<Recipe> steps{step_of(problem, values, totals, "kernel/scan.block_totals.cuh", upsweep),
                              scan_of_totals(problem, values, totals),
                              step_of(problem, values, totals, "kernel/scan.downsweep.cuh", downsweep)};
    for (const std::size_t step : {0, 2}) {
      steps[step].launch.grid = GridRule::persistent;
      steps[step].launch.blocks_per_multiprocessor = static_cast<int>(values.blocks_per_multiprocessor);
    }
    return steps;
  }

 private:
  // SharedStorage of templates/kernel/scan.block_totals.cuh.
  [[nodiscard]] static tiles::Layout upsweep_storage(const Problem& problem, const ThreeStepValues& values) {
    return tiles::struct_of({tiles::inputs_storage(problem, values), reduce_storage(problem, values)});
  }
};

class ScanThenPropagate final : public ThreeSteps<ThreeStepValues> {
 public:
  ScanThenPropagate()
      : ThreeSteps("scan_then_propagate",
                   "Scan in three launches. First, each block scans one tile and writes the results. Then one block "
                   "scans the totals of the tiles. Last, each block combines the prefix of its tile with each result "
                   "(\"uniform add\"). The output is written twice. The result is reproducible. The output type must "
                   "be the accumulator type. A search seldom proposes this schedule.",
                   "Harris, Sengupta and Owens, \"Parallel Prefix Sum (Scan) with CUDA\", GPU Gems 3, 2007, section "
                   "39.2.4") {}

  // What is between the steps lies in the output.
  [[nodiscard]] bool supports(const Problem& problem) const override {
    return is_scanned(problem) && is_dense(problem) && has_plain_items(problem) &&
           entry_of(problem).fold == Fold::values && problem.output == problem.accumulator && !is_compensated(problem);
  }

 protected:
  [[nodiscard]] ThreeStepValues default_values(const Problem& problem, const DeviceLimits& limits) const override {
    return usual_values(problem, limits);
  }
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const ThreeStepValues& values,
                                               const DeviceLimits& limits) const override {
    return tiles::tile_violations(problem, values, limits, tile_storage(problem, values).size);
  }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const ThreeStepValues& values) const override {
    ScratchRule totals = totals_rule(problem);
    totals.call_items_per_item = static_cast<std::uint64_t>(values.tile_items());
    return {step_of(problem, values, totals, "kernel/scan.tiles_alone.cuh", tile_storage(problem, values)),
            scan_of_totals(problem, values, totals), step_of(problem, values, totals, "kernel/scan.propagate.cuh", {})};
  }
};

}  // namespace

const Schedule& scan_reduce_then_scan() {
  return *new const ReduceThenScan;
}

const Schedule& scan_then_propagate() {
  return *new const ScanThenPropagate;
}

}  // namespace upsweep
