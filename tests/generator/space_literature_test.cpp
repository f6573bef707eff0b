// The algorithms of the literature that others have replaced: the space has each, by its name, and nothing proposes one
// unasked.
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "generator/networks.hpp"
#include "generator/schedule.hpp"
#include "generator/short_config.hpp"
#include "generator/space.hpp"

namespace upsweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const DeviceLimits h100 = limits_of_architecture("sm_90");

Problem problem_of(Algorithm algorithm, Operator op, Type type, std::uint64_t size = 1 << 20) {
  return make_problem(algorithm, op, type, type, size);
}

// Schedule and kernel templates of each step, for a config in short form.
struct Named {
  Problem problem;
  std::string partial;
  std::vector<const char*> templates;
};

std::vector<Named> all_named() {
  const Problem sum = problem_of(Algorithm::reduce, Operator::plus, Type::i32);
  const Problem scan = problem_of(Algorithm::exclusive_scan, Operator::plus, Type::f32);
  const char* const one = "tile/first_level.one.cuh";
  const char* const two = "tile/first_level.two.cuh";
  const char* const many = "tile/first_level.many.cuh";
  return {{sum, "ladder, step=interleaved_divergent", {one, "block/tree.interleaved_divergent.cuh"}},
          {sum, "ladder, step=interleaved_strided", {one, "block/tree.interleaved_strided.cuh"}},
          {sum, "ladder, step=sequential", {one, "block/tree.sequential.cuh"}},
          {sum, "ladder, step=first_add", {two, "block/tree.sequential.cuh"}},
          {sum, "ladder, step=unrolled_warp", {two, "block/tree.unrolled_warp.cuh"}},
          {sum, "ladder, step=unrolled", {two, "block/tree.unrolled.cuh"}},
          {sum, "ladder, step=multiple_items", {many, "block/tree.unrolled.cuh"}},
          {sum, "ladder, step=shuffles", {many, "block/reduce.warp_reduces.cuh"}},
          {sum, "ladder, step=redux", {many, "warp/reduce.redux.cuh", "operator/redux.plus.cuh"}},
          {sum, "ladder, step=bulk_copies", {"kernel/reduce.ladder_bulk.cuh", "block/reduce.warp_reduces.cuh"}},
          {scan,
           "reduce_then_scan",
           {"kernel/scan.block_totals.cuh", "kernel/scan.totals.cuh", "kernel/scan.downsweep.cuh"}},
          {scan,
           "scan_then_propagate, block_scan=blelloch",
           {"kernel/scan.tiles_alone.cuh", "kernel/scan.totals.cuh", "kernel/scan.propagate.cuh",
            "block/scan.blelloch.cuh"}},
          {scan, "scan_then_propagate, block_scan=blelloch_padded", {"block/scan.blelloch_padded.cuh"}},
          {scan, "reduce_then_scan, block_scan=hillis_steele", {"block/scan.hillis_steele.cuh"}},
          {scan, "reduce_then_scan, block_scan=kogge_stone", {"block/scan.kogge_stone.cuh"}},
          {scan, "scan_then_propagate, block_scan=sklansky", {"block/scan.sklansky.cuh"}},
          {scan, "reduce_then_scan, block_scan=brent_kung", {"block/scan.brent_kung.cuh"}},
          {scan,
           "reduce_then_scan, block_scan=raking_16, warp_scan=han_carlson",
           {"block/scan.raking_16.cuh", "warp/scan.han_carlson.cuh"}},
          {scan, "single_block, warp_scan=ladner_fischer", {"warp/scan.ladner_fischer.cuh"}},
          {problem_of(Algorithm::inclusive_scan, Operator::plus, Type::i32),
           "single_block, warp_scan=matrix",
           {"warp/scan.matrix.cuh", "target/cuda/matrix.cuh"}},
          {scan, "single_block, warp_scan=kogge_stone_radix_4", {"warp/scan.kogge_stone_radix_4.cuh"}},
          {scan, "single_block, block_scan=raking, warp_scan=serial", {"warp/scan.serial.cuh"}},
          {scan, "hillis_steele", {"kernel/scan.hillis_steele.cuh"}}};
}

TEST(LiteratureSpace, HasEachByName) {
  for (const Named& named : all_named()) {
    const Space space(named.problem, h100);
    const Config config = space.resolve(*config_from_text(named.partial));
    EXPECT_TRUE(space.contains(config) && space.suits(config)) << named.partial;
    EXPECT_TRUE(is_reproducible(named.problem, config)) << named.partial;
    std::string text;
    for (const Source& step : generate_steps(named.problem, config)) text += step.text;
    for (const char* part : named.templates) EXPECT_THAT(text, HasSubstr(std::string("\"") + part)) << named.partial;
  }
}

TEST(LiteratureSpace, ProposesNoneUnasked) {
  for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::exclusive_scan, Algorithm::reduce}) {
    for (const std::uint64_t size : {1ull, 1ull << 14, 1ull << 26}) {
      const Space space(problem_of(algorithm, Operator::plus, Type::f32, size), h100);
      std::size_t baselines = 0;
      for (const Schedule* schedule : space.schedules()) baselines += schedule->is_baseline() ? 1 : 0;
      EXPECT_EQ(baselines, algorithm == Algorithm::reduce ? 1u : 3u);
      for (const Config& seed : space.seed_configs()) {
        EXPECT_FALSE(find_schedule(space.problem(), seed.schedule).is_baseline()) << to_json(seed);
      }
    }
  }
}

// A value of a parameter may be replaced by others, too.
TEST(LiteratureSpace, EveryScheduleWithAWarpScanHasEveryNetworkOfAWarp) {
  const Problem scan = problem_of(Algorithm::inclusive_scan, Operator::plus, Type::f32);
  std::vector<ParameterValue> networks;
  for (const ScanNetwork& network : scan_networks()) {
    if (network.is_warp_scan) networks.emplace_back(std::string(network.name));
  }
  std::set<std::string_view> schedules;
  const Space space(scan, h100);
  for (const Schedule* schedule : space.schedules()) {
    for (const Parameter& parameter : schedule->parameters(scan)) {
      if (parameter.name != "warp_scan") continue;
      schedules.insert(schedule->name());
      EXPECT_THAT(parameter.values, testing::UnorderedElementsAreArray(networks)) << schedule->name();
      EXPECT_EQ(parameter.baselines.size(), 4u);
      EXPECT_EQ(parameter.value_meanings.size(), networks.size());
    }
  }
  EXPECT_EQ(schedules, (std::set<std::string_view>{"all_aggregates", "chained", "cluster", "lookback",
                                                   "reduce_then_scan", "scan_then_propagate", "single_block"}));
}

TEST(LiteratureSpace, ListsTheNetworksOfABlock) {
  const Problem scan = problem_of(Algorithm::inclusive_scan, Operator::plus, Type::i32);
  std::vector<ParameterValue> networks;
  for (const ScanNetwork& network : scan_networks()) {
    if (network.is_block_scan) networks.emplace_back(std::string(network.name));
  }
  const std::vector<Parameter> parameters = find_schedule(scan, "scan_then_propagate").parameters(scan);
  for (const Parameter& parameter : parameters) {
    if (parameter.name != "block_scan") continue;
    EXPECT_THAT(parameter.values, testing::UnorderedElementsAreArray(networks));
    return;
  }
  ADD_FAILURE() << "no block_scan";
}

// What lies in the output between the steps is rounded to its type.
TEST(LiteratureSpace, PropagatesOnlyWhereTheOutputHoldsTheAccumulator) {
  const auto has = [](const Problem& problem, std::string_view name) {
    const Space space(problem, h100);
    std::set<std::string_view> names;
    for (const Schedule* schedule : space.schedules()) names.insert(schedule->name());
    return names.contains(name);
  };
  Problem scan = problem_of(Algorithm::inclusive_scan, Operator::plus, Type::f32);
  EXPECT_TRUE(has(scan, "scan_then_propagate"));
  scan.accuracy = Accuracy::kahan;
  EXPECT_FALSE(has(scan, "scan_then_propagate"));
  EXPECT_TRUE(has(scan, "reduce_then_scan") && has(scan, "hillis_steele"));
  scan = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::f16, Type::f32);
  EXPECT_TRUE(has(scan, "scan_then_propagate"));
  scan.output = Type::f16;
  EXPECT_FALSE(has(scan, "scan_then_propagate"));
  EXPECT_TRUE(has(scan, "reduce_then_scan") && has(scan, "hillis_steele"));
  Problem by_key = problem_of(Algorithm::inclusive_scan_by_key, Operator::plus, Type::f32);
  by_key.key = Type::u32;
  EXPECT_TRUE(has(by_key, "reduce_then_scan"));
  EXPECT_FALSE(has(by_key, "scan_then_propagate") || has(by_key, "hillis_steele"));
}

// The hardware folds 32-bit integers, from sm_80 on.
TEST(LiteratureSpace, HasReduxWhereTheHardwareHas) {
  const auto violations = [](Operator op, Type type, const char* architecture) {
    const Space space(problem_of(Algorithm::reduce, op, type), limits_of_architecture(architecture));
    return space.violations(space.complete({"ladder", {{"step", "redux"}}}));
  };
  EXPECT_THAT(violations(Operator::maximum, Type::u32, "sm_80"), IsEmpty());
  EXPECT_THAT(violations(Operator::maximum, Type::u32, "sm_75"),
              ElementsAre("compute capability: step=redux needs 8.0 or higher; use step=shuffles"));
  for (const auto& [op, type] :
       {std::pair{Operator::plus, Type::f32}, {Operator::plus, Type::i64}, {Operator::multiplies, Type::i32}}) {
    EXPECT_THAT(violations(op, type, "sm_90"), ElementsAre(HasSubstr("step=redux is not valid: ")));
  }
}

// Bulk copies are of sm_90, and of whole vectors.
TEST(LiteratureSpace, HasBulkCopiesWhereTheHardwareHas) {
  const auto violations = [](const Problem& problem, const char* architecture) {
    const Space space(problem, limits_of_architecture(architecture));
    return space.violations(space.complete({"ladder", {{"step", "bulk_copies"}}}));
  };
  const Problem sum = problem_of(Algorithm::reduce, Operator::plus, Type::f32);
  EXPECT_THAT(violations(sum, "sm_90"), IsEmpty());
  EXPECT_THAT(violations(sum, "sm_89"),
              ElementsAre("compute capability: step=bulk_copies needs 9.0 or higher; use step=shuffles"));
}

// The matrix units add up bytes exactly: sums of 32-bit integers, from sm_80 on.
TEST(LiteratureSpace, ScansByMatricesWhatTheyAddUpExactly) {
  const auto violations = [](Algorithm algorithm, Operator op, Type type, const char* architecture) {
    const Space space(problem_of(algorithm, op, type), limits_of_architecture(architecture));
    return space.violations(space.complete({"lookback", {{"warp_scan", "matrix"}}}));
  };
  EXPECT_THAT(violations(Algorithm::exclusive_scan, Operator::plus, Type::u32, "sm_80"), IsEmpty());
  EXPECT_THAT(violations(Algorithm::exclusive_scan, Operator::plus, Type::u32, "sm_75"),
              ElementsAre("compute capability: warp_scan=matrix needs 8.0 or higher; use warp_scan=kogge_stone"));
  for (const auto& [op, type] :
       {std::pair{Operator::plus, Type::f32}, {Operator::plus, Type::i64}, {Operator::maximum, Type::i32}}) {
    EXPECT_THAT(violations(Algorithm::inclusive_scan, op, type, "sm_90"),
                ElementsAre(HasSubstr("warp_scan=matrix is not valid: ")));
  }
}

// One slot for each block, for each tile, or two for each item.
TEST(LiteratureSpace, WorkspaceHoldsTotalsOrItems) {
  const Problem scan = problem_of(Algorithm::inclusive_scan, Operator::plus, Type::i64);
  const auto bytes = [&](const char* partial, std::uint64_t n) {
    return workspace_bytes(generate_steps(scan, Space(scan, h100).resolve(*config_from_text(partial))), n, 10);
  };
  const std::uint64_t count = 128;  // of the totals
  EXPECT_EQ(bytes("reduce_then_scan, blocks_per_multiprocessor=8", 1 << 30), 80u * 8 + count);
  EXPECT_EQ(bytes("scan_then_propagate, threads_per_block=64, items_per_thread=4", 1 << 20), (1u << 12) * 8 + count);
  EXPECT_EQ(bytes("hillis_steele", 1 << 20), 2u * (1 << 20) * 8 + 128);
}

}  // namespace
}  // namespace upsweep
