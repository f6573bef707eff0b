// reduce_by_key on a GPU: every schedule and strategy, types of keys and values, any size, in place and not.
#include <gtest/gtest.h>

#include "generator/space.hpp"
#include "runtime/engine.hpp"
#include "tests/support/by_key.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

using test::reduction_by_key;

constexpr double lengths[] = {8, 1, 300, 1e18};

std::shared_ptr<runtime::Engine> by_key_engine() {
  static const std::shared_ptr<runtime::Engine> engine =
      runtime::Engine::open({.device = "cuda", .database = "none", .record_wanted = false});
  return engine;
}

class GpuByKeyStrategies : public testing::TestWithParam<test::Strategy> {};

TEST_P(GpuByKeyStrategies, FoldWhatAPlainLoopFolds) {
  const auto engine = by_key_engine();
  if (!Space(GetParam().problem, engine->device().limits()).contains(GetParam().config)) {
    GTEST_SKIP() << "this device cannot run the config";
  }
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile;
  std::uint64_t seed = 0;
  for (const std::uint64_t n :
       {std::uint64_t{0}, std::uint64_t{1}, tile - 1, tile + 1, 37 * tile + 5, 300 * tile + 7}) {
    const double length = lengths[seed++ % std::size(lengths)];
    for (const test::Layout& layout : {test::Layout{}, {.in_place = true}, {.in_offset = 1, .out_offset = 3}}) {
      ASSERT_EQ(test::reduce_by_key_and_compare(engine->device(), plan, n, length, seed, layout), std::nullopt)
          << n << " items, runs of " << length << (layout.in_place ? ", in place" : "");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, GpuByKeyStrategies,
                         testing::ValuesIn(test::strategies({reduction_by_key(plus, Type::f64, Type::u32)},
                                                            limits_of_architecture("sm_90"), test::Tiles::small)),
                         [](const auto& given) { return given.param.name; });

class GpuByKey : public testing::TestWithParam<std::pair<Type, Type>> {};

TEST_P(GpuByKey, FoldsWhatAPlainLoopFolds) {
  const auto engine = by_key_engine();
  const auto& [key, value] = GetParam();
  for (const std::uint64_t n : {100, 10'007, 3'000'017}) {
    Problem problem = reduction_by_key(plus, value, key);
    problem.size = n;
    const Plan plan = engine->plan(problem, nullptr);
    for (const double length : lengths) {
      for (const test::Layout& layout : {test::Layout{}, {.in_place = true}, {.in_offset = 1, .out_offset = 3}}) {
        ASSERT_EQ(test::reduce_by_key_and_compare(engine->device(), plan, n, length, n, layout), std::nullopt)
            << n << " items, runs of " << length << (layout.in_place ? ", in place" : "");
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, GpuByKey,
                         testing::Values(std::pair(Type::u32, Type::f64), std::pair(Type::u8, Type::i32),
                                         std::pair(Type::u64, Type::f32), std::pair(Type::i16, Type::c128),
                                         std::pair(Type::u32, Type::u8)),
                         [](const auto& given) {
                           return std::string(name(given.param.first)) + "_" + std::string(name(given.param.second));
                         });

}  // namespace
}  // namespace upsweep
