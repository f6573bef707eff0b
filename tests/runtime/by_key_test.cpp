// reduce_by_key on the host device: every schedule and strategy, types of keys and values, in place and not, against a
// plain loop.
#include <gtest/gtest.h>

#include <upsweep/error.hpp>

#include "generator/space.hpp"
#include "tests/support/by_key.hpp"
#include "tests/support/defined_runs.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

using test::reduction_by_key;

// Average lengths of runs; in the last data, all keys are equal.
constexpr double lengths[] = {8, 1, 1.5, 300, 1e18};

const test::Layout layouts[] = {{}, {.in_place = true}, {.in_offset = 1, .out_offset = 3}};

class ByKeyStrategies : public testing::TestWithParam<test::Strategy> {};

TEST_P(ByKeyStrategies, FoldWhatAPlainLoopFolds) {
  const auto engine = test::host_engine();
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  std::uint64_t seed = 0;
  for (const std::uint64_t n : test::awkward_sizes(plan.source().launch.items_per_tile)) {
    const double length = lengths[seed++ % std::size(lengths)];
    const test::Layout& layout = layouts[seed % std::size(layouts)];
    ASSERT_EQ(test::reduce_by_key_and_compare(engine->device(), plan, n, length, seed, layout), std::nullopt)
        << n << " items, runs of " << length << ", seed " << seed << (layout.in_place ? ", in place" : "");
  }
}

std::vector<test::Strategy> small_strategies() {
  std::vector<test::Strategy> all = test::strategies({reduction_by_key(plus, Type::f64, Type::u32)},
                                                     runtime::HostDevice().limits(), test::Tiles::small);
  // The strategies of scans meet all counts of threads and items, and what the host device does not tell apart.
  std::erase_if(all, [](const test::Strategy& strategy) {
    const auto is_of = [&](const char* parameter) { return strategy.name.find(parameter) != std::string::npos; };
    return is_of("threads_per_block") || is_of("items_per_thread") || is_of("delay_nanoseconds") ||
           is_of("minimum_blocks") || is_of("worker_warps") || is_of("stages") || is_of("reduce_ahead") ||
           is_of("states_per_lane") || is_of("blocks_per_multiprocessor");
  });
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, ByKeyStrategies, testing::ValuesIn(small_strategies()), test::by_name);

TEST(ByKey, OfKeysAndValuesOfEveryWidthFoldsWhatAPlainLoopFolds) {
  const auto engine = test::host_engine();
  const std::pair<Type, Type> pairs[] = {
      {Type::u8, Type::u64}, {Type::i64, Type::i8}, {Type::i16, Type::f32}, {Type::u32, Type::c128}};
  for (const auto& [key, value] : pairs) {
    for (const char* load : {"direct", "warp_transpose"}) {
      const Config config{"lookback", {{"threads_per_block", 64}, {"items_per_thread", 3}, {"load", load}}};
      const Plan plan = engine->plan(reduction_by_key(plus, value, key), config, nullptr);
      for (const test::Layout& layout : layouts) {
        ASSERT_EQ(test::reduce_by_key_and_compare(engine->device(), plan, 1001, 5, 1, layout), std::nullopt)
            << name(key) << " " << name(value) << " " << load;
      }
    }
  }
}

TEST(ByKey, OfEveryOperatorKeepsTheOrderOfTheItems) {
  const auto engine = test::host_engine();
  for (const Operator op : all_operators()) {
    const Plan plan = engine->plan(reduction_by_key(op, Type::u32, Type::u32),
                                   {.schedule = "lookback", .values = {{"threads_per_block", 64}}}, nullptr);
    for (const double length : lengths) {
      ASSERT_EQ(test::reduce_by_key_and_compare(engine->device(), plan, 3001, length, 7), std::nullopt) << name(op);
    }
  }
}

TEST(ByKey, FoldsIntoAWiderTypeAndWritesANarrowerOne) {
  const auto engine = test::host_engine();
  Problem problem = reduction_by_key(plus, Type::i16, Type::u32);
  problem.accumulator = Type::i64;
  problem.output = Type::i32;
  for (const Config& config : {Config{"lookback", {{"threads_per_block", 64}}},
                               {"lookahead", {{"worker_warps", 2}, {"vectors_per_thread", 1}}}}) {
    const Plan plan = engine->plan(problem, config, nullptr);
    for (const test::Layout& layout : layouts) {
      for (const double length : {40.0, 1.0}) {
        ASSERT_EQ(test::reduce_by_key_and_compare(engine->device(), plan, 5003, length, 3, layout), std::nullopt)
            << config.schedule;
      }
    }
  }
}

// Of 12 bytes, and of 8 with an operator that does not commute.
template <typename T>
class DefinedByKey : public testing::Test {};
using DefinedValues = testing::Types<test::Vector3, test::Map>;
TYPED_TEST_SUITE(DefinedByKey, DefinedValues);

TYPED_TEST(DefinedByKey, FoldsWhatAPlainLoopFolds) {
  const auto engine = test::host_engine();
  for (const char* schedule : {"lookback", "chained", "all_aggregates", "single_block", "cluster", "sequential"}) {
    Config config{schedule, {}};
    if (schedule != std::string_view("sequential"))
      config.values = {{"threads_per_block", 64}, {"items_per_thread", 3}};
    const Plan plan = engine->plan(test::reduction_by_key_of<TypeParam>(Type::u16), config, nullptr);
    for (const test::Layout& layout : layouts) {
      for (const std::uint64_t n : {0, 1, 191, 3000}) {
        test::expect_reduced_by_key<TypeParam>(engine->device(), plan, n, 5, layout);
      }
    }
  }
}

TEST(ByKey, BadProblemsSayWhatToDo) {
  const auto message = [](const Problem& problem) { return test::error_of<UsageError>([&] { validate(problem); }); };
  Problem problem = reduction_by_key(plus, Type::f64, Type::u32);
  EXPECT_EQ(message(problem), "");
  EXPECT_EQ(to_string(problem), "reduce_by_key plus f64 by u32");
  problem.key.reset();
  EXPECT_EQ(message(problem), "reduce_by_key needs a type of keys or flags, such as u32");
  problem = make_problem(Algorithm::reduce, plus, Type::f64, Type::f64);
  problem.key = Type::u32;
  EXPECT_EQ(message(problem), "reduce has no keys or flags: leave out their type");
  EXPECT_EQ(message(reduction_by_key(less, Type::f64, Type::u32)),
            "less is a predicate, and reduce_by_key needs an operator that combines items: use plus, maximum or "
            "another one");
  EXPECT_NE(message(reduction_by_key(affine, Type::f64, Type::u32)), "");
  EXPECT_EQ(message(reduction_by_key(plus, Type::f64, Type::c64)),
            "keys of type c64 cannot be compared: use a type of numbers that are not complex");
}

}  // namespace
}  // namespace upsweep
