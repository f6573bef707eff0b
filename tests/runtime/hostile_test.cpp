// Look-back and its kin under hostile schedules: blocks in random order with few of them resident, preemption anywhere,
// relaxed stores that others see late. Seeds are printed on failure and give the same run again.
#include <cstring>

#include <gtest/gtest.h>

#include "generator/space.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

using test::Data;

struct Hostile {
  Problem problem;
  Config partial;
  int seeds;
  const char* name;
};

class Schedules : public testing::TestWithParam<Hostile> {};

TEST_P(Schedules, SurviveHostility) {
  const Hostile& hostile = GetParam();
  const auto device = std::make_shared<runtime::HostDevice>();
  const auto engine = test::host_engine(device);
  const Space space(hostile.problem, device->limits());
  Config config = test::with_small_tiles(space, space.complete(hostile.partial));
  for (const auto& [name, value] : hostile.partial.values) config.values[name] = value;
  if (config.values.contains("threads_per_block")) {
    config.values["threads_per_block"] = 32;
    config.values["items_per_thread"] = 2;
  }
  const Plan plan = engine->plan(hostile.problem, config, nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile;
  for (int seed = 1; seed <= hostile.seeds; ++seed) {
    device->set_schedule(runtime::HostSchedule::hostile(static_cast<std::uint64_t>(seed)));
    const std::uint64_t n =
        static_cast<std::uint64_t>(seed) % 12 * tile + static_cast<std::uint64_t>(seed) % (2 * tile) + 1;
    const test::Layout layout{.in_place = false, .in_offset = seed % 5, .out_offset = seed / 5 % 5};
    const auto wrong = test::run_and_compare(*device, plan, n, Data::random, static_cast<std::uint64_t>(seed), layout);
    ASSERT_EQ(wrong, std::nullopt) << "schedule seed " << seed;
  }
}

Problem affine(Algorithm algorithm, Type type) {
  return make_problem(algorithm, Operator::affine, type, type);
}

// 16 bytes, more than one word holds: a mixture of two values would have parts of both.
Problem complex_sum(Algorithm algorithm) {
  return make_problem(algorithm, Operator::plus, Type::c128, Type::c128);
}

INSTANTIATE_TEST_SUITE_P(
    All, Schedules,
    testing::Values(
        Hostile{
            affine(Algorithm::inclusive_scan, Type::u32), {"lookback", {{"lookback_window", 32}}}, 1000, "packed_64"},
        Hostile{
            affine(Algorithm::inclusive_scan, Type::u64), {"lookback", {{"lookback_window", 4}}}, 300, "packed_128"},
        Hostile{affine(Algorithm::exclusive_scan, Type::u64),
                {"lookback", {{"lookback_window", 2}, {"descriptor", "split"}}},
                300,
                "split"},
        Hostile{
            affine(Algorithm::exclusive_scan, Type::u32), {"lookback", {{"lookback_window", 128}}}, 200, "window_128"},
        Hostile{affine(Algorithm::inclusive_scan, Type::u32), {"lookback", {{"lookback_window", 1}}}, 200, "window_1"},
        Hostile{affine(Algorithm::inclusive_scan, Type::u64), {"chained", {{"descriptor", "split"}}}, 200, "chained"},
        Hostile{affine(Algorithm::inclusive_scan, Type::u32), {"gather", {}}, 500, "gather"},
        Hostile{
            affine(Algorithm::exclusive_scan, Type::u64), {"gather", {{"descriptor", "split"}}}, 300, "gather_split"},
        Hostile{complex_sum(Algorithm::inclusive_scan), {"gather", {}}, 300, "gather_wide"},
        Hostile{affine(Algorithm::inclusive_scan, Type::u32), {"single_block", {}}, 50, "single_block"},
        Hostile{affine(Algorithm::exclusive_scan, Type::u32), {"cluster", {{"cluster_blocks", 4}}}, 200, "cluster"},
        Hostile{affine(Algorithm::inclusive_scan, Type::u32), {"lookahead", {}}, 500, "lookahead"},
        Hostile{affine(Algorithm::exclusive_scan, Type::u64),
                {"lookahead", {{"order", "strided"}, {"descriptor", "split"}, {"states_per_lane", 1}}},
                200,
                "lookahead_strided"},
        Hostile{affine(Algorithm::inclusive_scan, Type::u64),
                {"lookahead", {{"fill", "async"}, {"emit", "vectorized"}, {"reduce_ahead", 3}}},
                200,
                "lookahead_async"},
        Hostile{make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i8, Type::i64),
                {"lookahead", {{"reduce_ahead", 0}, {"stages", 2}}},
                200,
                "lookahead_widening"},
        Hostile{affine(Algorithm::reduce, Type::u64),
                {"last_block", {{"blocks_per_multiprocessor", 3}}},
                300,
                "last_block"},
        Hostile{complex_sum(Algorithm::inclusive_scan), {"lookback", {{"lookback_window", 4}}}, 300, "packed_wide"},
        Hostile{complex_sum(Algorithm::exclusive_scan),
                {"lookback", {{"lookback_window", 2}, {"descriptor", "split"}}},
                300,
                "split_wide"},
        Hostile{complex_sum(Algorithm::inclusive_scan), {"chained", {{"descriptor", "packed"}}}, 200, "chained_wide"},
        Hostile{complex_sum(Algorithm::inclusive_scan), {"lookahead", {{"states_per_lane", 1}}}, 200, "lookahead_wide"},
        Hostile{
            complex_sum(Algorithm::reduce), {"last_block", {{"blocks_per_multiprocessor", 3}}}, 300, "last_block_wide"},
        Hostile{make_problem(Algorithm::reduce, Operator::plus, Type::i32, Type::i32),
                {"last_block", {{"load", "direct"}, {"blocks_per_multiprocessor", 2}}},
                200,
                "last_block_per_thread"}),
    [](const auto& parameter) { return std::string(parameter.param.name); });

// Around the numbers of tiles from which on another warp, or the same one again, has totals to wait for.
TEST(Gather, FoldsAnyNumberOfTilesInOrder) {
  const auto device = std::make_shared<runtime::HostDevice>();
  const auto engine = test::host_engine(device);
  const Problem problem = affine(Algorithm::inclusive_scan, Type::u64);
  Config config = Space(problem, device->limits()).complete({"gather", {}});
  config.values["threads_per_block"] = 96;
  config.values["items_per_thread"] = 1;
  const Plan plan = engine->plan(problem, config, nullptr);
  std::uint64_t seed = 1;
  for (const std::uint64_t tiles : {1, 2, 32, 33, 34, 64, 65, 97, 98, 130, 200}) {
    device->set_schedule(runtime::HostSchedule::hostile(++seed));
    ASSERT_EQ(test::run_and_compare(*device, plan, 96 * tiles - 7, Data::random, seed), std::nullopt) << tiles;
  }
}

// Each launch leaves the workspace ready for the next, whatever sizes follow each other.
TEST(Workspace, ResetsItself) {
  const auto device = std::make_shared<runtime::HostDevice>();
  const auto engine = test::host_engine(device);
  const Problem problem = affine(Algorithm::inclusive_scan, Type::u32);
  Config config = Space(problem, device->limits()).complete({"lookback", {}});
  config.values["threads_per_block"] = 32;
  config.values["items_per_thread"] = 1;
  const Plan plan = engine->plan(problem, config, nullptr);
  std::uint64_t seed = 1;
  for (const std::uint64_t n : {500u, 1u, 32u, 900u, 33u, 899u, 2u, 640u, 640u}) {
    device->set_schedule(runtime::HostSchedule::hostile(++seed));
    ASSERT_EQ(test::run_and_compare(*device, plan, n, Data::random, seed), std::nullopt);
  }
}

// Just before the launch counter in the tags wraps, and after: tags of the launch before the wrap must not be taken for
// those of launches after it.
TEST(Workspace, SurvivesTheWrapOfItsEpoch) {
  const auto device = std::make_shared<runtime::HostDevice>();
  const auto engine = test::host_engine(device);
  const Problem one_word = affine(Algorithm::inclusive_scan, Type::u64);
  for (const auto& [problem, descriptor] :
       {std::pair{one_word, "packed"}, {one_word, "split"}, {complex_sum(Algorithm::inclusive_scan), "packed"}}) {
    const std::size_t item = size_of(problem.input);
    Config config = Space(problem, device->limits()).complete({"lookback", {{"descriptor", descriptor}}});
    config.values["threads_per_block"] = 32;
    config.values["items_per_thread"] = 1;
    const Plan plan = engine->plan(problem, config, nullptr);
    const std::uint64_t n = 700;
    runtime::Buffer memory(*device, plan.workspace_bytes(n)), in(*device, n * item), out(*device, n * item);
    const BorrowedWorkspace workspace = plan.borrow_workspace(memory.data(), memory.bytes());
    const std::uint32_t near_wrap = (1u << 30) - 4;  // header: ticket (epoch in its high half), high water, scrubbed
    std::memcpy(static_cast<char*>(memory.data()) + 4, &near_wrap, 4);
    for (std::uint64_t launch = 0; launch < 8; ++launch) {
      device->set_schedule(runtime::HostSchedule::hostile(launch + 1));
      const std::uint64_t items = launch % 2 == 0 ? n : 100;
      const auto input = test::make_data(problem, items, Data::random, launch);
      std::memcpy(in.data(), input.data(), input.size());
      const Scalar none = identity(problem.op, problem.accumulator);
      plan.run(in.data(), out.data(), items, none, nullptr, workspace);
      const auto* bytes = static_cast<const std::byte*>(out.data());
      ASSERT_EQ(test::difference(problem.output, test::expected(problem, input, items, none), {bytes, items * item}),
                std::nullopt)
          << to_string(problem) << " " << descriptor << " launch " << launch;
    }
    std::uint64_t ticket = 0;
    std::memcpy(&ticket, memory.data(), 8);
    EXPECT_EQ(ticket, std::uint64_t{4} << 32) << "four launches up to the last epoch, then four more";
  }
}

// A descriptor that launches no longer reach must not keep its tag until the epoch comes round: each launch clears one.
TEST(Workspace, ForgetsTagsThatAreNotUsedAnyMore) {
  const auto device = std::make_shared<runtime::HostDevice>();
  const auto engine = test::host_engine(device);
  const Problem problem = affine(Algorithm::inclusive_scan, Type::u32);
  Config config = Space(problem, device->limits()).complete({"lookback", {}});
  config.values["threads_per_block"] = 32;
  config.values["items_per_thread"] = 1;
  const Plan plan = engine->plan(problem, config, nullptr);
  const std::uint64_t n = 640, tiles = 20;
  runtime::Buffer memory(*device, plan.workspace_bytes(n)), data(*device, n * 4);
  const BorrowedWorkspace workspace = plan.borrow_workspace(memory.data(), memory.bytes());
  const auto descriptors = [&] {
    std::vector<std::uint64_t> words(tiles);
    std::memcpy(words.data(), static_cast<char*>(memory.data()) + WorkspaceRule::header_bytes, tiles * 8);
    return words;
  };
  const Scalar none = identity(problem.op, problem.accumulator);
  plan.run(data.data(), data.data(), n, none, nullptr, workspace);
  for (const std::uint64_t word : descriptors()) EXPECT_NE(word, 0u);
  for (std::uint64_t launch = 0; launch < tiles; ++launch)
    plan.run(data.data(), data.data(), 64, none, nullptr, workspace);
  const std::vector<std::uint64_t> words = descriptors();
  for (std::uint64_t tile = 2; tile < tiles; ++tile) EXPECT_EQ(words[tile], 0u) << "tile " << tile;
}

}  // namespace
}  // namespace upsweep
