// A schedule of two steps that tests define: reduce-then-scan. The first step writes the fold of each tile to scratch.
// The second one folds the tiles before its own, and scans its own. Its blocks draw their tiles from a state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <upsweep/device_info.hpp>

#include "generator/algorithm.hpp"
#include "generator/described_schedule.hpp"
#include "generator/tile_recipe.hpp"
#include "generator/value_type.hpp"
#include "tests/support/defined.hpp"

namespace upsweep::test {

// An exclusive scan from an initial value: an algorithm of its own, so that the schedule is there for no other problem.
inline Algorithm scan_in_two_steps() {
  return define_algorithm({.name = "scan_in_two_steps",
                           .emission = Emission::dense,
                           .has_initial = true,
                           .text = "constexpr bool emits_inclusive = false;\n\n"
                                   "__device__ __forceinline__ Accumulator emit(Accumulator exclusive, Accumulator) {\n"
                                   "  return exclusive;\n}\n"});
}

inline const CountParameter& tile_items_parameter() {
  static const CountParameter parameter{"tile_items", "Items of a tile.", {32, 64, 128}};
  return parameter;
}

struct TwoStepValues : LaunchValues {
  std::int64_t tile_items = 64;

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visitor(values.tile_items, tile_items_parameter());
    LaunchValues::visit(values, problem, visitor);
  }
};

class ReduceThenScan final : public DescribedSchedule<TwoStepValues> {
 public:
  ReduceThenScan() : DescribedSchedule("two_steps", "Folds each tile, then scans each tile.", "upsweep") {}

  [[nodiscard]] bool supports(const Problem& problem) const override {
    const bool is_asked_for = takes_built_in_scans() && problem.algorithm == Algorithm::exclusive_scan;
    return is_asked_for || problem.algorithm == scan_in_two_steps();
  }
  // Whether it is there for exclusive scans too: the command takes built-in algorithms only.
  static bool& takes_built_in_scans() {
    static bool takes = false;
    return takes;
  }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const override { return {capability_constraint()}; }

 protected:
  [[nodiscard]] TwoStepValues default_values(const Problem& problem, const DeviceLimits& limits) const override {
    TwoStepValues values;
    values.set_defaults(problem, limits);
    return values;
  }
  [[nodiscard]] std::vector<std::string> check(const Problem&, const TwoStepValues&,
                                               const DeviceLimits&) const override {
    return {};
  }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const TwoStepValues& values) const override {
    Recipe recipe;
    recipe.parameters = tiles::type_block(problem) + tiles::constant("int", "threads_per_block", 32) +
                        tiles::constant("int", "tile_items", values.tile_items);
    recipe.launch.threads_per_block = 32;
    recipe.launch.items_per_tile = static_cast<std::uint64_t>(values.tile_items);
    recipe.scratch = {{.name = "tile_folds",
                       .type = "Accumulator",
                       .item_bytes = size_of(problem.accumulator),
                       .call_items_per_item = recipe.launch.items_per_tile}};
    std::vector<Recipe> steps(2, recipe);
    steps[0].kernel = "kernel/test.reduce.cuh";
    steps[0].definitions[steps[0].kernel] = reduce_text;
    steps[1].kernel = "kernel/test.scan.cuh";
    steps[1].definitions[steps[1].kernel] = scan_text;
    steps[1].workspace.layout = "tiles_of_the_test";
    return steps;
  }

 private:
  static constexpr const char* reduce_text = R"(#pragma once

#include "algorithm/lift.cuh"
#include "block/start.plain.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"

extern "C" __global__ void __launch_bounds__(threads_per_block)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  announce_start();
  await_previous_kernel();
  if (thread_index() != 0) return;
  const u64 first = u64(block_index()) * tile_items, n = arguments.n;
  Accumulator fold = lift(arguments.in[first]);
  for (u64 i = first + 1; i < n && i < first + tile_items; ++i) fold = combine(fold, lift(arguments.in[i]));
  arguments.tile_folds[block_index()] = fold;
}
)";
  static constexpr const char* scan_text = R"(#pragma once

#include "algorithm/hooks.inclusive_scan.cuh"
#include "algorithm/lift.cuh"
#include "algorithm/start.initial.cuh"
#include "block/start.plain.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"

// Zero before the first launch, and after each.
struct Workspace {
  u32 drawn;
  u32 ended;
};

extern "C" __global__ void __launch_bounds__(threads_per_block)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  announce_start();
  await_previous_kernel();
  if (thread_index() != 0) return;
  Workspace* const workspace = arguments.workspace;
  const u32 tile = add_relaxed(&workspace->drawn, 1);
  const u64 first = u64(tile) * tile_items, n = arguments.n;
  Accumulator before = initial_of(read_scalars(passed_scalars(arguments)));
  for (u32 i = 0; i < tile; ++i) before = combine(before, arguments.tile_folds[i]);
  for (u64 i = first; i < n && i < first + tile_items; ++i) {
    const Accumulator inclusive = combine(before, lift(arguments.in[i]));
    arguments.out[i] = Output(emit(before, inclusive));
    before = inclusive;
  }
  if (add_acquire_release(&workspace->ended, 1) == grid_size() - 1) {
    store_relaxed(&workspace->drawn, 0u);
    store_relaxed(&workspace->ended, 0u);
  }
}
)";
};

// Makes the schedule known, once for the process.
inline void know_two_steps() {
  static const bool once = [] {
    add_schedule(*new const ReduceThenScan);
    return true;
  }();
  static_cast<void>(once);
}

// While it lives, the schedule is there for exclusive scans too.
class TwoStepsForBuiltInScans {
 public:
  TwoStepsForBuiltInScans() {
    know_two_steps();
    ReduceThenScan::takes_built_in_scans() = true;
  }
  TwoStepsForBuiltInScans(const TwoStepsForBuiltInScans&) = delete;
  TwoStepsForBuiltInScans& operator=(const TwoStepsForBuiltInScans&) = delete;
  ~TwoStepsForBuiltInScans() { ReduceThenScan::takes_built_in_scans() = false; }
};

// Maps, whose composition does not commute.
inline Problem two_step_problem(std::uint64_t size) {
  know_two_steps();
  return make_problem(scan_in_two_steps(), Map::op(), Map::type(), Map::type(), size);
}

inline Config two_step_config(std::int64_t tile_items, bool dependent = false) {
  return {.schedule = "two_steps",
          .values = {{"tile_items", tile_items}, {"dependent_launch", dependent ? "yes" : "no"}}};
}

}  // namespace upsweep::test
