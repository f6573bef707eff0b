// Small runs of every strategy, for compute-sanitizer: scripts/gpu-suite runs these tests under its tools.
//
// racecheck reports correct code in which one lane arrives at a phase barrier for its whole warp
// (racecheck_gpu_test.cpp shows it). So racecheck runs RacecheckStrategies, in which every lane of the workers and of
// the loader of `lookahead` arrives for itself; all else is as generated. The other tools run Sanitize, as generated.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/gpu/gpu.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/editing_compiler.hpp"
#include "tests/support/port_rings.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

using test::Data;
using test::Strategy;

// Small runs, that refill rings of small tiles all the same, of one config of each strategy, aligned and not; of
// selections and reductions by key in place, too.
void run_small(runtime::Engine& engine, const Strategy& strategy) {
  const Plan plan = engine.plan(strategy.problem, strategy.config, nullptr);
  const std::uint64_t n = test::large_size(plan, 9 * plan.source().launch.items_per_tile + 5);
  const bool compacts = is_compact(strategy.problem);
  for (const test::Layout& layout :
       {test::Layout{}, {.in_offset = 1}, {.out_offset = 1}, {.in_place = true}, {.in_place = true, .in_offset = 1}}) {
    if (layout.in_place && !compacts) continue;
    EXPECT_EQ(compacts ? test::compact_and_compare(engine.device(), plan, n, 0, layout)
                       : test::run_and_compare(engine.device(), plan, n, Data::random, 1, layout),
              std::nullopt)
        << layout.in_offset << " " << layout.out_offset << (layout.in_place ? ", in place" : "");
  }
}

std::vector<Strategy> sanitized_strategies() {
  return test::sanitized_strategies(limits_of_architecture("sm_90"));
}

std::vector<Strategy> sanitized_compact_strategies() {
  return test::sanitized_compact_strategies(limits_of_architecture("sm_90"));
}

class Sanitize : public testing::TestWithParam<Strategy> {};

TEST_P(Sanitize, SmallRun) {
  run_small(*test::gpu_engine(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, Sanitize, testing::ValuesIn(sanitized_strategies()), test::by_name);

INSTANTIATE_TEST_SUITE_P(Compact, Sanitize, testing::ValuesIn(sanitized_compact_strategies()), test::by_name);

// In `lookahead`, every lane of the workers and of the loader arrives for itself.
void let_every_lane_arrive(std::string& text) {
  using test::replace_once;
  if (text.find("shared.empty[s]") == std::string::npos) return;
  replace_once(text, "init_barrier(&shared.empty[s], worker_warps)",
               "init_barrier(&shared.empty[s], worker_warps * warp_size)");
  replace_once(text, "if (lingering != nullptr && lane_index() == 0) arrive(lingering);",
               "if (lingering != nullptr) arrive(lingering);");
  replace_once(text, "} else if (lane_index() == 0) {\n      arrive(own);", "} else {\n      arrive(own);");
  replace_once(text, "init_barrier(&shared.folded[s], worker_warps)",
               "init_barrier(&shared.folded[s], worker_warps * warp_size)");
  replace_once(text, "    arrive(&shared.folded[slot.at]);\n  }", "  }\n  arrive(&shared.folded[slot.at]);");
  if (text.find("constexpr u32 fill_arrivals = 1;") == std::string::npos) return;
  // Bulk loads: all lanes copy items that fill no vector, and then one of them arrives.
  replace_once(text, "constexpr u32 fill_arrivals = 1;", "constexpr u32 fill_arrivals = warp_size;");
  replace_once(text, "  if (lane_index() == 0) arrive(&full);", "  arrive(&full);");
  replace_once(text, "  warp_barrier();\n  if (lane_index() > 0) return;\n",
               "  warp_barrier();\n  if (lane_index() > 0) {\n    arrive(&full);\n    return;\n  }\n");
}

runtime::Engine& engine_where_every_lane_arrives() {
  static const auto engine = [] {
    runtime::Engine::Parts parts =
        runtime::Engine::parts({.device = "cuda", .database = "none", .reproducible = false});
    parts.compiler =
        std::make_shared<test::EditingCompiler>(parts.compiler, "every_lane_arrives", let_every_lane_arrive);
    return std::make_shared<runtime::Engine>(std::move(parts));
  }();
  return *engine;
}

class RacecheckStrategies : public testing::TestWithParam<Strategy> {};

TEST_P(RacecheckStrategies, SmallRun) {
  run_small(engine_where_every_lane_arrives(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, RacecheckStrategies, testing::ValuesIn(sanitized_strategies()), test::by_name);

INSTANTIATE_TEST_SUITE_P(Compact, RacecheckStrategies, testing::ValuesIn(sanitized_compact_strategies()),
                         test::by_name);

}  // namespace
}  // namespace upsweep
