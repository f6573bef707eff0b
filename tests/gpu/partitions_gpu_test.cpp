// three_way_partition and stable_partition on a GPU: every schedule, types, any size and alignment.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "generator/space.hpp"
#include "tests/gpu/gpu.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

constexpr double items_each_of_partitions[] = {2, 1, 3, 100, 1e18};

void expect_partitioned(const Plan& plan, std::uint64_t n, double items_each) {
  const test::PortCase call = test::make_partition_case(plan.problem(), n, items_each, n);
  for (const test::Layout& layout : {test::Layout{}, {.in_offset = 1, .out_offset = 3}}) {
    ASSERT_EQ(test::run_and_compare(test::gpu_engine()->device(), plan, call, layout), std::nullopt)
        << n << " items, one in " << items_each;
  }
}

class GpuPartitionStrategies : public testing::TestWithParam<test::Strategy> {};

TEST_P(GpuPartitionStrategies, GiveWhatAPlainLoopGives) {
  const auto engine = test::gpu_engine();
  if (!Space(GetParam().problem, engine->device().limits()).contains(GetParam().config)) {
    GTEST_SKIP() << "this device cannot run the config";
  }
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  const std::uint64_t tile = plan.source(plan.steps() - 1).launch.items_per_tile;
  std::uint64_t turn = 0;
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, tile - 1, tile + 1, 37 * tile + 5,
                                test::large_size(plan, 300 * tile + 7)}) {
    const double items_each = items_each_of_partitions[turn++ % std::size(items_each_of_partitions)];
    ASSERT_NO_FATAL_FAILURE(expect_partitioned(plan, n, items_each));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, GpuPartitionStrategies,
    testing::ValuesIn(test::strategies({make_problem(Algorithm::three_way_partition, less, Type::i32, Type::u64),
                                        make_problem(Algorithm::three_way_partition, greater, Type::u8, Type::u32),
                                        make_problem(Algorithm::stable_partition, less, Type::f32, Type::u64),
                                        make_problem(Algorithm::stable_partition, greater, Type::u16, Type::u32)},
                                       limits_of_architecture("sm_90"), test::Tiles::small)),
    test::by_name);

class GpuPartitions : public testing::TestWithParam<std::tuple<Algorithm, Type>> {};

TEST_P(GpuPartitions, AreThoseOfAPlainLoop) {
  const auto& [algorithm, type] = GetParam();
  for (const std::uint64_t n : {100, 10'007, 3'000'017}) {
    const Operator predicate = is_complex(type) ? equal_to : less;
    const Plan plan = test::gpu_engine()->plan(make_problem(algorithm, predicate, type, Type::u64, n), nullptr);
    for (const double items_each : items_each_of_partitions) {
      ASSERT_NO_FATAL_FAILURE(expect_partitioned(plan, n, items_each));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, GpuPartitions,
                         testing::Combine(testing::Values(Algorithm::three_way_partition, Algorithm::stable_partition),
                                          testing::Values(Type::i8, Type::i16, Type::f16, Type::u32, Type::f32,
                                                          Type::i64, Type::f64, Type::c128)),
                         [](const auto& given) {
                           return fmt::format("{}_{}", name(std::get<0>(given.param)), name(std::get<1>(given.param)));
                         });

}  // namespace
}  // namespace upsweep
