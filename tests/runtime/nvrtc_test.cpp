// NVRTC compiles what the generator writes: sampled (problem, config) pairs over the architectures.
// nvrtc_templates_test.cpp compiles every template on its own, nvrtc_shapes_test.cpp rows and axes.
#include <algorithm>
#include <array>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "runtime/cuda/nvrtc_compiler.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/space_points.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

void expect_compiles(const Source& source, const std::string& architecture) {
  runtime::NvrtcCompiler compiler;
  try {
    const runtime::Compiled compiled = compiler.compile(source, architecture);
    EXPECT_GT(compiled.binary.size(), 500u);
    EXPECT_EQ(compiled.log.find("error"), std::string::npos) << compiled.log;
  } catch (const CompilerError& error) {
    ADD_FAILURE() << error.details();
  }
}

void expect_compiles(const Problem& problem, const Config& config, const std::string& architecture,
                     const SourceOptions& options = {}) {
  SCOPED_TRACE(to_string(problem) + " " + to_json(config));
  for (const Source& step : generate_steps(problem, config, Target::cuda, options)) expect_compiles(step, architecture);
}

std::size_t count_of(const std::string& word, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

class Architecture : public testing::TestWithParam<const char*> {};

// One architecture of those with the same features.
class Generation : public Architecture {};

// Problems with configs of their own, others on each architecture: 20 pairs of them.
TEST_P(Architecture, CompilesSampledConfigs) {
  const std::string architecture = GetParam();
  std::vector<Problem> problems = test::all_problems();
  for (const Problem& mixed : test::mixed_problems()) problems.push_back(mixed);
  const std::uint64_t seed = std::hash<std::string>{}(architecture) % 100000;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < 20; ++i) {
    const Problem& problem = problems[random() % problems.size()];
    expect_compiles(problem, test::sample(Space(problem, limits_of_architecture(architecture)), random), architecture);
  }
}

// What newer devices can do and older ones refuse, on top of each schedule's defaults.
const std::vector<Config>& newer_features() {
  static const std::vector<Config> features{
      {"lookahead", {{"fill", "async"}, {"emit", "vectorized"}, {"prefetch", "none"}}},
      {"lookahead", {{"fill", "async"}, {"emit", "vectorized_once"}, {"prefetch", "none"}}},
      {"lookahead", {{"fill", "bulk"}, {"emit", "bulk_once"}}},
      {"lookahead", {{"fill", "bulk_once"}, {"emit", "vectorized"}, {"order", "strided"}}},
      {"lookahead", {{"fill", "async"}, {"emit", "bulk"}, {"descriptor", "split"}}},
      {"cluster", {}},
      {"cluster", {{"cluster_blocks", 16}}},
  };
  return features;
}

// The compute capability that the config is for.
int needed_capability(const Config& config) {
  bool newest = config.schedule == "cluster";
  for (const auto& [parameter, value] : config.values) {
    const std::string text = to_string(value);
    newest =
        newest || text.starts_with("bulk") || text == "native" || (parameter == "dependent_launch" && text == "yes");
  }
  return newest ? 90 : config.schedule == "lookahead" ? 80 : 75;
}

// What needs a newer device must be outside the space.
void expect_all_compile(const Space& space, const std::vector<Config>& wanted, const std::string& architecture) {
  for (const Config& partial : wanted) {
    const Config config = space.complete(partial);
    const bool allowed = limits_of_architecture(architecture).compute_capability >= needed_capability(config);
    if (!allowed) {
      EXPECT_FALSE(space.contains(config)) << to_json(config);
      continue;
    }
    // Defaults of one way to emit may be too large for another. Small tiles compile in half the time; samples have all.
    const Config fitting = space.complete_around(partial);
    ASSERT_TRUE(space.contains(fitting)) << to_json(fitting);
    expect_compiles(space.problem(), test::with_small_tiles(space, fitting), architecture);
  }
}

// Baselines use what all architectures have, in kernels of several steps, which take long to compile.
bool is_left_to_one(const Schedule& schedule, const std::string& architecture) {
  return schedule.is_baseline() && architecture != "sm_90";
}

// Sampling seldom meets the small schedules: each once here, with what newer devices add to it, and refused before.
TEST_P(Generation, CompilesEverySchedule) {
  const DeviceLimits limits = limits_of_architecture(GetParam());
  for (const Algorithm algorithm : {Algorithm::exclusive_scan, Algorithm::reduce}) {
    const Problem problem = make_problem(algorithm, Operator::maximum, Type::f16, Type::f16);
    const Space space(problem, limits);
    std::vector<Config> wanted;
    for (const Schedule* schedule : space.schedules()) {
      if (is_left_to_one(*schedule, GetParam())) continue;
      const std::string name(schedule->name());
      wanted.push_back({name, {{"dependent_launch", "no"}, {"arithmetic", "portable"}}});
      wanted.push_back({name, {{"dependent_launch", "yes"}, {"arithmetic", "native"}}});
      for (const Config& feature : newer_features()) {
        const bool is_large = feature == Config{"cluster", {{"cluster_blocks", 16}}};
        if (feature.schedule == name && (!is_large || limits.blocks_per_cluster >= 16)) wanted.push_back(feature);
      }
    }
    expect_all_compile(space, wanted, GetParam());
  }
}

// Each step of the ladder, and the scans of a block that only schedules of the literature have. The architectures take
// turns.
TEST(Literature, Compiles) {
  constexpr std::array architectures{"sm_75", "sm_80", "sm_100", "sm_120"};
  std::size_t turn = 0;
  const auto expect = [&](const Problem& problem, const Config& partial) {
    const char* const architecture = architectures[turn++ % architectures.size()];
    expect_compiles(problem, Space(problem, limits_of_architecture(architecture)).resolve(partial), architecture);
  };
  const Problem sum = make_problem(Algorithm::reduce, Operator::plus, Type::i32, Type::i32);
  for (const char* step : {"interleaved_divergent", "redux", "interleaved_strided", "sequential", "first_add",
                           "unrolled_warp", "unrolled", "multiple_items", "shuffles"}) {
    expect(sum, {"ladder", {{"step", step}}});
  }
  const DeviceLimits hopper = limits_of_architecture("sm_90");
  expect_compiles(sum, Space(sum, hopper).resolve({"ladder", {{"step", "bulk_copies"}}}), "sm_90");
  const Problem word = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32);
  expect_compiles(word, Space(word, hopper).resolve({"single_block", {{"warp_scan", "matrix"}}}), "sm_90");
  const Problem scan = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::c64, Type::c64);
  for (const char* block_scan : {"blelloch_padded", "blelloch", "hillis_steele"}) {
    expect(scan, {"reduce_then_scan", {{"block_scan", block_scan}}});
  }
  for (const char* block_scan :
       {"blelloch_padded", "blelloch", "hillis_steele", "raking_16", "kogge_stone", "sklansky", "brent_kung"}) {
    expect(scan, {"scan_then_propagate", {{"block_scan", block_scan}}});
  }
  for (const char* warp_scan : {"ladner_fischer", "han_carlson", "kogge_stone_radix_4", "serial"}) {
    expect(scan, {"single_block", {{"warp_scan", warp_scan}}});
  }
  expect(scan, {"hillis_steele", {}});
}

// Compact emission has templates of its own: by every schedule, and with the ways to load and store that are no
// default.
TEST_P(Generation, CompilesSelectionsAndReductionsByKey) {
  const DeviceLimits limits = limits_of_architecture(GetParam());
  const auto expect_all = [&](const Problem& problem, const std::vector<Config>& wanted) {
    expect_all_compile(Space(problem, limits), wanted, GetParam());
  };
  expect_all(problem_of(Algorithm::select_if, Operator::less, Type::f16, {}, {}),
             {{"lookahead", {}},
              {"lookahead", {{"fill", "async"}, {"emit", "vectorized"}, {"prefetch", "none"}}},
              {"single_block", {}},
              {"cluster", {}}});
  expect_all(problem_of(Algorithm::select_flagged, Operator::less, Type::c64, {}, {}, Type::f16),
             {{"lookahead", {{"descriptor", "split"}}}, {"lookahead", {{"fill", "async"}, {"emit", "bulk"}}}});
  expect_all(problem_of(Algorithm::stable_partition, Operator::less, Type::f16, {}, {}),
             {{"lookahead", {}}, {"lookback", {}}});
  expect_all(problem_of(Algorithm::reduce_by_key, Operator::plus, Type::f64, {}, {}, Type::u8),
             {{"lookahead", {}},
              {"lookahead", {{"fill", "async"}, {"emit", "vectorized"}, {"prefetch", "none"}}},
              {"lookback", {{"load", "direct"}, {"store", "direct"}, {"descriptor", "split"}}},
              {"chained", {{"load", "block_transpose"}, {"block_scan", "raking"}}},
              {"all_aggregates", {{"load", "vectorized"}, {"items_per_thread", 8}}},
              {"sequential", {}}});
}

TEST_P(Generation, CompilesReverseScansAndSelectionsFromBytes) {
  const DeviceLimits limits = limits_of_architecture(GetParam());
  for (const Type type : {Type::i8, Type::c128}) {
    const Problem problem = make_problem(Algorithm::reverse_exclusive_scan, Operator::plus, type, type);
    expect_all_compile(Space(problem, limits),
                       {{"lookahead", {}},
                        {"lookahead", {{"fill", "async"}, {"emit", "vectorized"}, {"prefetch", "none"}}},
                        {"lookback", {{"items_per_thread", 4}, {"load", "direct"}, {"store", "direct"}}},
                        {"sequential", {}}},
                       GetParam());
  }
  const Problem halves = make_problem(Algorithm::reverse_inclusive_scan, Operator::maximum, Type::i16, Type::i16);
  expect_all_compile(Space(halves, limits),
                     {{"lookahead", {{"packing", "packed_16x2"}}},
                      {"lookback", {{"items_per_thread", 8}, {"load", "vectorized"}, {"store", "vectorized"}}}},
                     GetParam());
  const Problem bytes = problem_of(Algorithm::select_if, Operator::greater_equal, Type::i8, {}, {});
  expect_all_compile(Space(bytes, limits), {{"lookahead", {}}, {"lookahead", {{"fill", "async"}}}}, GetParam());
}

// Tiles that need nothing of each other, and items of which the two before are seen.
TEST_P(Generation, CompilesDifferencesAndRunsOfAtLeastTwo) {
  const DeviceLimits limits = limits_of_architecture(GetParam());
  const auto expect_all = [&](const Problem& problem, const std::vector<Config>& wanted) {
    expect_all_compile(Space(problem, limits), wanted, GetParam());
  };
  expect_all(problem_of(Algorithm::adjacent_difference, Operator::minus, Type::c64, {}, {}),
             {{"independent_tiles", {{"dependent_launch", "no"}, {"prefetch", "none"}}}});
  expect_all(problem_of(Algorithm::adjacent_difference, Operator::minus, Type::bf16, {}, {}),
             {{"independent_tiles", {{"load", "block_transpose"}, {"prefetch", "bulk"}}}});
  expect_all(problem_of(Algorithm::nontrivial_runs, Operator::equal_to, Type::u32, {}, {}),
             {{"lookahead", {{"fill", "async"}, {"emit", "vectorized"}, {"prefetch", "none"}}}});
}

// In device memory, the argument is an address.
TEST_P(Architecture, CompilesInitialValuesInMemory) {
  for (const Algorithm algorithm : {Algorithm::exclusive_scan, Algorithm::reduce}) {
    const Problem problem = make_problem(algorithm, Operator::plus, Type::f32, Type::c128);
    const Space space(problem, limits_of_architecture(GetParam()));
    for (const Schedule* schedule : space.schedules()) {
      if (is_left_to_one(*schedule, GetParam())) continue;
      const Config config = test::with_small_tiles(space, space.complete({std::string(schedule->name()), {}}));
      if (space.contains(config)) expect_compiles(problem, config, GetParam(), {.scalars_in_memory = true});
    }
  }
}

// The additions that make an error term are as they are written, rounded and without FTZ, and nothing is contracted.
TEST_P(Generation, CompilesSumsWithAnErrorTerm) {
  const std::string architecture = GetParam();
  const DeviceLimits limits = limits_of_architecture(architecture);
  const int turn = limits.compute_capability / 10;  // each generation has another algorithm, type or method
  const Type type = std::array{Type::f64, Type::f32, Type::bf16, Type::f16}[turn % 4];
  Problem problem = make_problem(turn % 2 == 0 ? Algorithm::reduce : Algorithm::exclusive_scan, plus, type, type);
  problem.accuracy = std::array{Accuracy::kahan, Accuracy::neumaier, Accuracy::double_double}[turn % 3];
  const Config config = Space(problem, limits).default_config();
  SCOPED_TRACE(to_string(problem) + " " + to_json(config));
  runtime::NvrtcCompiler compiler;
  const std::string ptx = compiler.compile(generate(problem, config, Target::cuda), architecture).ptx;
  const std::string digits = type == Type::f64 ? "64" : "32";
  EXPECT_GE(count_of("add.rn.f" + digits, ptx) + count_of("sub.rn.f" + digits, ptx), 4 * 8u);
  for (const char* contracted : {"fma.", "mad.rn.f", ".ftz"}) EXPECT_EQ(count_of(contracted, ptx), 0u) << contracted;
}

// Slices are cut by rounded additions, which nothing contracts or leaves out: of each item and bin but the last one,
// three, and of the last one, one.
TEST_P(Generation, CompilesSumsInBins) {
  const std::string architecture = GetParam();
  const DeviceLimits limits = limits_of_architecture(architecture);
  const Type type = std::array{Type::f32, Type::f64, Type::bf16, Type::f16}[limits.compute_capability / 10 % 4];
  Problem problem = make_problem(Algorithm::reduce, plus, type, type, 1 << 12);
  problem.accuracy = Accuracy::binned;
  const Space space(problem, limits);
  const Config config = space.default_config();
  SCOPED_TRACE(to_string(problem) + " " + to_json(config));
  runtime::NvrtcCompiler compiler;
  const std::string ptx = compiler.compile(generate(problem, config, Target::cuda), architecture).ptx;
  const std::string digits = type == Type::f64 ? "64" : "32";
  const auto items = static_cast<std::size_t>(std::get<std::int64_t>(config.values.at("items_per_thread")));
  const std::size_t more_bins = size_of(type) == 2 ? 0 : 1;
  EXPECT_GE(count_of("fma.rn.f" + digits, ptx), 2 * items);
  EXPECT_GE(count_of("sub.rn.f" + digits, ptx), items * (1 + 2 * more_bins));
  EXPECT_GE(count_of("add.rn.f" + digits, ptx), items * (1 + more_bins));
  EXPECT_EQ(count_of(".ftz", ptx), 0u);
}

// Each schedule is compiled with each problem for two architectures or more: they take turns.
TEST_P(Architecture, CompilesLimits) {
  const std::vector<std::string> architectures = known_architectures();
  const auto own = std::find(architectures.begin(), architectures.end(), GetParam());
  std::ptrdiff_t turn = own - architectures.begin();
  for (const auto& [algorithm, op] : {std::pair{Algorithm::select_if, Operator::less},
                                      {Algorithm::reduce_by_key, Operator::plus},
                                      {Algorithm::partition, Operator::less},
                                      {Algorithm::adjacent_difference, Operator::minus},
                                      {Algorithm::three_way_partition, Operator::less},
                                      {Algorithm::reduce, Operator::plus}}) {
    const Problem problem = problem_of(algorithm, op, Type::f32, {}, {});
    const Space space(problem, limits_of_architecture(GetParam()));
    for (const Schedule* schedule : space.schedules()) {
      const Config config = test::with_small_tiles(space, space.complete({std::string(schedule->name()), {}}));
      if (turn++ % 3 == 0 && space.contains(config)) expect_compiles(problem, config, GetParam(), {.limits = true});
    }
  }
}

// Two at a time: by one instruction from sm_90 on, by several before.
TEST_P(Architecture, CompilesNarrowExtremes) {
  const DeviceLimits limits = limits_of_architecture(GetParam());
  for (const auto& [algorithm, op, type, schedule] :
       {std::tuple{Algorithm::inclusive_scan, Operator::minimum, Type::i8, "lookahead"},
        {Algorithm::exclusive_scan, Operator::maximum, Type::u16, "lookahead"},
        {Algorithm::reduce, Operator::maximum, Type::u8, "last_started"}}) {
    if (schedule == std::string_view("lookahead") && limits.compute_capability < 80) continue;
    const Problem problem = make_problem(algorithm, op, type, type);
    const Config config = Space(problem, limits).complete({schedule, {{"packing", "packed_16x2"}}});
    expect_compiles(problem, test::with_small_tiles(Space(problem, limits), config), GetParam());
  }
}

// Values of 16 bytes take paths of their own.
TEST_P(Architecture, CompilesWideValues) {
  runtime::NvrtcCompiler compiler;
  const std::string architecture = GetParam();
  const DeviceLimits limits = limits_of_architecture(architecture);
  for (const auto& [algorithm, partial] :
       {std::pair{Algorithm::inclusive_scan, Config{"lookback", {{"descriptor", "packed"}}}},
        {Algorithm::exclusive_scan, Config{"chained", {{"descriptor", "split"}}}},
        {Algorithm::exclusive_scan, Config{"all_aggregates", {{"descriptor", "packed"}}}},
        {Algorithm::inclusive_scan, Config{"lookahead", {{"descriptor", "packed"}}}},
        {Algorithm::reduce, Config{"last_block", {}}},
        {Algorithm::reduce, Config{"last_started", {}}}}) {
    if (partial.schedule == "lookahead" && limits.compute_capability < 80) continue;
    const Problem problem = make_problem(algorithm, Operator::multiplies, Type::c128, Type::c128);
    const Config config = Space(problem, limits).complete(partial);
    const runtime::Compiled compiled = compiler.compile(generate(problem, config), architecture);
    const auto report = runtime::parse_assembler_report(compiled.log);
    ASSERT_TRUE(report.has_value()) << compiled.log;
    EXPECT_EQ(report->stack_bytes, 0) << "values are to stay in registers: " << compiled.log;
  }
}

constexpr auto by_architecture = [](const auto& parameter) { return std::string(parameter.param); };
INSTANTIATE_TEST_SUITE_P(All, Architecture,
                         testing::Values("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"),
                         by_architecture);
INSTANTIATE_TEST_SUITE_P(All, Generation, testing::Values("sm_75", "sm_80", "sm_90", "sm_100", "sm_120"),
                         by_architecture);

}  // namespace
}  // namespace upsweep
