#include <upsweep/source.hpp>

#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>
#include <upsweep/error.hpp>

#include "generator/chunks.hpp"
#include "generator/space.hpp"

namespace upsweep {
namespace {

const DeviceLimits h200 = limits_of_architecture("sm_90");

std::vector<std::pair<Problem, Config>> samples(int each, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::pair<Problem, Config>> found;
  for (const Algorithm algorithm : all_algorithms()) {
    for (const auto& [op, type] : {std::pair{Operator::plus, Type::i32},
                                   {Operator::maximum, Type::bf16},
                                   {Operator::affine, Type::u64},
                                   {Operator::multiplies, Type::c128},
                                   {Operator::plus, Type::f16}}) {
      const Problem problem = make_problem(algorithm, op, type, type);
      const Space space(problem, h200);
      for (int i = 0; i < each; ++i) found.emplace_back(problem, space.sample(random));
    }
  }
  return found;
}

TEST(Source, IsDeterministicAndSizeDoesNotMatter) {
  for (auto& [problem, config] : samples(3, 1)) {
    const Source once = generate(problem, config);
    Problem larger = problem;
    larger.size = 12345;
    const Source again = generate(larger, config);
    EXPECT_EQ(once.text, again.text);
    EXPECT_EQ(once.key, again.key);
    EXPECT_EQ(once.key.size(), 32u);
  }
}

TEST(Source, DiffersWhereConfigOrProblemDiffers) {
  const Problem sum = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32);
  const Space space(sum, h200);
  const std::string key = generate(sum, space.default_config()).key;
  for (const Config& other : space.neighbours(space.default_config())) EXPECT_NE(generate(sum, other).key, key);
  Problem product = sum;
  product.op = Operator::multiplies;
  EXPECT_NE(generate(product, space.default_config()).key, key);
}

// Only what is used: every declared name occurs outside of its own declaration.
TEST(Source, HoldsNothingThatIsNotUsed) {
  for (const auto& [problem, config] : samples(4, 2)) {
    const Source source = generate(problem, config);
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

TEST(Source, IsPlainAndSelfContained) {
  for (const auto& [problem, config] : samples(4, 3)) {
    const std::string text = generate(problem, config).text;
    for (const char* unwanted : {"#include", "#if", "#pragma once", "nlohmann"}) {
      EXPECT_EQ(text.find(unwanted), std::string::npos) << unwanted << to_json(config);
    }
    EXPECT_NE(text.find("// " + to_string(problem)), std::string::npos);
    EXPECT_NE(text.find(generate(problem, config).key), std::string::npos);
  }
}

// Two layouts never share a name: a workspace that one kernel left is another's only if their slots are the same.
TEST(Source, WorkspaceLayoutsTellSlotsApart) {
  std::map<std::string, std::uint64_t> slots;
  for (const Type type : {Type::i32, Type::i64, Type::c64, Type::c128}) {
    for (const auto& [algorithm, partial] :
         {std::pair{Algorithm::inclusive_scan, Config{"lookback", {{"descriptor", "packed"}}}},
          {Algorithm::inclusive_scan, Config{"lookback", {{"descriptor", "split"}}}},
          {Algorithm::reduce, Config{"last_block", {}}}}) {
      const Problem problem = make_problem(algorithm, Operator::plus, type, type);
      const WorkspaceRule rule = generate(problem, Space(problem, h200).complete(partial)).workspace;
      EXPECT_EQ(slots.emplace(rule.layout, rule.slot_bytes).first->second, rule.slot_bytes) << rule.layout;
    }
  }
  EXPECT_EQ(slots, (std::map<std::string, std::uint64_t>{{"tiles_packed_64", 8},
                                                         {"tiles_packed_128", 16},
                                                         {"tiles_packed_wide_128", 32},
                                                         {"tiles_split", 24},
                                                         {"tiles_split_128", 40},
                                                         {"partials_32", 4},
                                                         {"partials_64", 8},
                                                         {"partials_128", 16}}));
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

TEST(WorkspaceRule, RoundsUpToTheHeadersAlignment) {
  const WorkspaceRule rule{.layout = "tiles", .slot_bytes = 8};
  EXPECT_EQ(rule.bytes(1), 256u);
  EXPECT_EQ(rule.bytes(16), 256u);
  EXPECT_EQ(rule.bytes(17), 384u);
  EXPECT_EQ(WorkspaceRule{}.bytes(100), 0u);
}

}  // namespace
}  // namespace upsweep
