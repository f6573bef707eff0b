#include <upsweep/source.hpp>

#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>
#include <upsweep/error.hpp>

#include "generator/chunks.hpp"
#include "generator/space.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/space_points.hpp"

namespace upsweep {
namespace {

const DeviceLimits h200 = limits_of_architecture("sm_90");

std::vector<std::pair<Problem, Config>> samples(int each, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::pair<Problem, Config>> found;
  for (const Algorithm algorithm : test::scans_and_reduces) {
    for (const auto& [op, type] : {std::pair{Operator::plus, Type::i32},
                                   {Operator::maximum, Type::bf16},
                                   {Operator::affine, Type::u64},
                                   {Operator::multiplies, Type::c128},
                                   {Operator::plus, Type::f16}}) {
      const Problem problem = make_problem(algorithm, op, type, type);
      const Space space(problem, h200);
      for (int i = 0; i < each; ++i) found.emplace_back(problem, test::sample(space, random));
    }
  }
  return found;
}

TEST(Source, IsDeterministicAndSizeDoesNotMatter) {
  for (auto& [problem, config] : samples(3, 1)) {
    const std::vector<Source> once = generate_steps(problem, config);
    Problem larger = problem;
    larger.size = 12345;
    const std::vector<Source> again = generate_steps(larger, config);
    ASSERT_EQ(once.size(), again.size());
    for (std::size_t step = 0; step < once.size(); ++step) {
      EXPECT_EQ(once[step].text, again[step].text);
      EXPECT_EQ(once[step].key, again[step].key);
      EXPECT_EQ(once[step].key.size(), 32u);
    }
  }
}

TEST(Source, DiffersWhereConfigOrProblemDiffers) {
  const Problem sum = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32);
  const Space space(sum, h200);
  const std::string key = generate(sum, space.default_config()).key;
  for (const Config& other : test::neighbours(space, space.default_config())) EXPECT_NE(generate(sum, other).key, key);
  Problem product = sum;
  product.op = Operator::multiplies;
  EXPECT_NE(generate(product, space.default_config()).key, key);
}

// Only what is used: every declared name occurs outside of its own declaration.
TEST(Source, HoldsNothingThatIsNotUsed) {
  for (const auto& [problem, config] : samples(4, 2)) {
    for (const Source& source : generate_steps(problem, config)) {
      const Chunks chunks = cut(source.text);
      for (const Chunk& chunk : chunks.chunks) {
        if (chunk.comment_only || chunk.names.empty()) continue;
        const bool used = std::any_of(chunk.names.begin(), chunk.names.end(), [&](const std::string& name) {
          return name == "upsweep_kernel" ||
                 std::any_of(chunks.chunks.begin(), chunks.chunks.end(), [&](const Chunk& other) {
                   return &other != &chunk && identifiers(other.text).contains(name);
                 });
        });
        EXPECT_TRUE(used) << chunk.text << to_json(config);
      }
    }
  }
}

TEST(Source, IsPlainAndSelfContained) {
  for (const auto& [problem, config] : samples(4, 3)) {
    for (const Source& source : generate_steps(problem, config)) {
      const std::string& text = source.text;
      for (const char* unwanted : {"#include", "#if", "#pragma once", "nlohmann"}) {
        EXPECT_EQ(text.find(unwanted), std::string::npos) << unwanted << to_json(config);
      }
      EXPECT_NE(text.find("// " + to_string(problem)), std::string::npos);
      EXPECT_NE(text.find(source.key), std::string::npos);
    }
  }
}

// Two layouts never share a name: a workspace that one kernel left is another's only if their slots are the same, and
// if both count the draws of a launch alike.
TEST(Source, WorkspaceLayoutsTellSlotsApart) {
  std::map<std::string, std::uint64_t> slots;
  for (const Type type : {Type::i32, Type::i64, Type::c64, Type::c128}) {
    for (const auto& [algorithm, partial] :
         {std::pair{Algorithm::inclusive_scan, Config{"lookback", {{"descriptor", "packed"}}}},
          {Algorithm::inclusive_scan, Config{"lookback", {{"descriptor", "split"}}}},
          {Algorithm::inclusive_scan, Config{"lookahead", {{"descriptor", "packed"}}}},
          {Algorithm::inclusive_scan, Config{"lookahead", {{"descriptor", "split"}}}},
          {Algorithm::reduce, Config{"last_started", {}}},
          {Algorithm::reduce, Config{"last_block", {}}}}) {
      const Problem problem = make_problem(algorithm, Operator::plus, type, type);
      const WorkspaceRule rule = generate(problem, Space(problem, h200).complete(partial)).workspace;
      EXPECT_EQ(slots.emplace(rule.layout, rule.slot_bytes).first->second, rule.slot_bytes) << rule.layout;
    }
  }
  EXPECT_EQ(slots, (std::map<std::string, std::uint64_t>{{"one_ticket_packed_64", 8},
                                                         {"one_ticket_packed_128", 16},
                                                         {"one_ticket_packed_128_128", 32},
                                                         {"one_ticket_split", 24},
                                                         {"one_ticket_split_128", 40},
                                                         {"many_tickets_packed_64", 8},
                                                         {"many_tickets_packed_128", 16},
                                                         {"many_tickets_packed_128_128", 32},
                                                         {"many_tickets_split", 24},
                                                         {"many_tickets_split_128", 40},
                                                         {"partials_32", 4},
                                                         {"partials_64", 8},
                                                         {"partials_128", 16}}));
}

// Their kernels would not know where the axis, or the segments, end.
TEST(Source, AxesAndSegmentsTakeNoLimits) {
  const Problem scan = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::f32, Type::f32);
  for (const Problem& problem : {along_axis(scan, axis(2, 300, 5)), in_segments(scan, 7, 100, Type::u32)}) {
    EXPECT_THROW((void)generate_steps(problem, Space(problem, h200).default_config(), Target::cuda, {.limits = true}),
                 UsageError)
        << to_string(problem);
  }
}

// A slot a tile, and two more than n / tile: one for what is left, one where tiles lie on the grid of addresses.
TEST(Source, WorkspaceHasASlotATileOrABlock) {
  const auto source_of = [](Algorithm algorithm, const Config& partial) {
    const Problem problem = make_problem(algorithm, Operator::plus, Type::i32, Type::i32);
    return generate(problem, Space(problem, h200).complete(partial));
  };
  for (const char* schedule : {"lookback", "chained", "all_aggregates", "lookahead"}) {
    const Source source = source_of(Algorithm::inclusive_scan, {schedule, {}});
    const std::uint64_t tile = source.launch.items_per_tile;
    EXPECT_TRUE(source.workspace.slot_per_tile) << schedule;
    EXPECT_EQ(source.workspace_bytes(1000 * tile + 1, 132), source.workspace.bytes(1002)) << schedule;
    EXPECT_NE(source.text.find("workspace: " + source.workspace.layout + ": 128 bytes, then 8 per tile\n"),
              std::string::npos);
  }
  const Source reduce = source_of(Algorithm::reduce, {"last_started", {{"blocks_per_multiprocessor", 4}}});
  EXPECT_FALSE(reduce.workspace.slot_per_tile);
  EXPECT_EQ(reduce.workspace_bytes(std::uint64_t{1} << 30, 132), reduce.workspace.bytes(4 * 132));
  EXPECT_NE(reduce.text.find(": 128 bytes, then 8 per block\n"), std::string::npos);
  for (const char* schedule : {"single_block", "cluster"}) {
    EXPECT_EQ(source_of(Algorithm::inclusive_scan, {schedule, {}}).workspace, WorkspaceRule{}) << schedule;
  }
}

TEST(Source, LaunchesAsTheConfigSays) {
  const Problem scan = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32);
  const Space space(scan, h200);
  const auto launch_of = [&](const Config& partial) { return generate(scan, space.complete(partial)).launch; };

  const LaunchRule ticket = launch_of({"lookahead",
                                       {{"worker_warps", 4},
                                        {"vectors_per_thread", 3},
                                        {"blocks_per_multiprocessor", 2},
                                        {"stages", 5},
                                        {"reduce_ahead", 2}}});
  EXPECT_EQ(ticket.grid, GridRule::persistent);
  EXPECT_EQ(ticket.blocks_per_multiprocessor, 2);
  EXPECT_EQ(ticket.threads_per_block, (4 + 3) * 32) << "workers, loader, publisher and look-ahead";
  EXPECT_EQ(ticket.items_per_tile, 4u * 32 * 3 * 4) << "only workers have items";
  EXPECT_FALSE(ticket.cooperative);
  EXPECT_EQ(ticket.cluster_blocks, 1);
  EXPECT_TRUE(launch_of({"lookahead", {{"order", "strided"}}}).cooperative) << "no ticket keeps it from a deadlock";

  const LaunchRule cluster = launch_of({"cluster", {{"cluster_blocks", 16}}});
  EXPECT_EQ(cluster.grid, GridRule::one_cluster);
  EXPECT_EQ(cluster.cluster_blocks, 16);
  EXPECT_EQ(cluster.blocks(1, 132), 16u);
  EXPECT_EQ(cluster.blocks(std::uint64_t{1} << 33, 132), 16u);

  for (const char* schedule : {"single_block", "cluster", "lookback", "chained", "all_aggregates", "lookahead"}) {
    EXPECT_TRUE(launch_of({schedule, {{"dependent_launch", "yes"}}}).dependent) << schedule;
    EXPECT_FALSE(launch_of({schedule, {{"dependent_launch", "no"}}}).dependent) << schedule;
  }
}

TEST(Source, RefusesConfigsOutsideTheSpace) {
  const Problem sum = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32);
  Config config = Space(sum, h200).default_config();
  config.values["load"] = "x\"; int y;";
  EXPECT_THROW((void)generate(sum, config), UsageError);
  EXPECT_THROW((void)generate(make_problem(Algorithm::reduce, Operator::bit_or, Type::f32, Type::f32), config),
               UsageError);
}

TEST(LaunchRule, CountsBlocksBeyond32Bits) {
  const LaunchRule tiles{.grid = GridRule::block_per_tile, .threads_per_block = 256, .items_per_tile = 4096};
  EXPECT_EQ(tiles.blocks(1, 132), 1u);
  EXPECT_EQ(tiles.blocks(4096, 132), 1u);
  EXPECT_EQ(tiles.blocks(4097, 132), 2u);
  EXPECT_EQ(tiles.blocks((std::uint64_t{1} << 33) + 1, 132), (1u << 21) + 1u);
  EXPECT_EQ(tiles.blocks(~std::uint64_t{0}, 132), std::uint64_t{1} << 52);
  const LaunchRule persistent{
      .grid = GridRule::persistent, .threads_per_block = 256, .items_per_tile = 4096, .blocks_per_multiprocessor = 4};
  EXPECT_EQ(persistent.blocks(std::uint64_t{1} << 33, 132), 528u);
  EXPECT_EQ(persistent.blocks(5000, 132), 2u);
  EXPECT_EQ(persistent.blocks(0, 132), 1u);
}

// Where a tile has all rows of its columns, tiles are counted by columns.
TEST(LaunchRule, CountsBlocksOfPanels) {
  const LaunchRule rule{.grid = GridRule::persistent,
                        .items_per_tile = 4096,
                        .columns_per_tile = 16,
                        .columns_per_vector = 4,
                        .blocks_per_multiprocessor = 4};
  EXPECT_EQ(rule.blocks_along_axis(1 << 22, 4096, 64, 132), 256u) << "its panels";
  EXPECT_EQ(rule.blocks_along_axis(1 << 22, 4097, 64, 132), 257u);
  EXPECT_EQ(rule.blocks_along_axis(1 << 22, 1 << 20, 64, 132), 528u) << "no more than blocks_per_multiprocessor";
  EXPECT_EQ(rule.blocks_along_axis(1 << 22, 1601, 66, 132), 401u) << "panels of single columns";
  EXPECT_EQ(rule.blocks_along_axis(1 << 16, 16, 16, 132), 16u) << "those that prefetch items, too";
  EXPECT_EQ(rule.blocks_along_axis(1 << 22, 16, 16, 132), 132u) << "one per multiprocessor at most";
  EXPECT_EQ(rule.blocks_along_axis(0, 16, 16, 132), 1u);
  LaunchRule by_items = rule;
  by_items.columns_per_tile = 0;
  EXPECT_EQ(by_items.blocks_along_axis(1 << 20, 2048, 64, 132), by_items.blocks(1 << 20, 132));
}

TEST(WorkspaceRule, RoundsUpToTheHeadersAlignment) {
  const WorkspaceRule rule{.layout = "tiles", .slot_bytes = 8};
  EXPECT_EQ(rule.bytes(1), 256u);
  EXPECT_EQ(rule.bytes(16), 256u);
  EXPECT_EQ(rule.bytes(17), 384u);
  EXPECT_EQ(WorkspaceRule{}.bytes(100), 0u);
}

}  // namespace
}  // namespace upsweep
