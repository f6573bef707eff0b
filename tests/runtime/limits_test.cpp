// Calls with limits on the host device: the number of items in device memory, and room for fewer results.
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <upsweep/context.hpp>
#include <upsweep/error.hpp>

#include "tests/support/host_context.hpp"
#include "tests/support/limits.hpp"
#include "tests/support/message_of.hpp"

namespace upsweep {
namespace {

class Limits : public testing::TestWithParam<test::Strategy> {};

TEST_P(Limits, OfItemsAndResultsAreKept) {
  const auto engine = test::host_engine();
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile;
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, tile - 1, 3 * tile, 5 * tile + 1}) {
    ASSERT_EQ(test::run_with_limits(engine->device(), plan, n, n + 1), std::nullopt);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Limits, testing::ValuesIn(test::limited_strategies(runtime::HostDevice().limits())),
                         test::by_name);

class LimitedCalls : public testing::Test {
 protected:
  template <typename Call>
  std::string message(const Call& call) {
    return test::message_of<UsageError>(call);
  }
  Context context{{.device = "host", .database = "none", .record_wanted = false}};
  const std::vector<std::int32_t> in{5, -1, 7, 3, -2, 8};
  std::vector<std::int32_t> kept = std::vector<std::int32_t>(6, 99);
  std::uint64_t count = 77;
};

TEST_F(LimitedCalls, OneCallsCountIsTheNextOnesNumberOfItems) {
  std::int32_t sum = 0;
  context.select_if(in.data(), kept.data(), &count, 6, greater, 0);
  context.reduce(kept.data(), &sum, items_in_memory(&count, 6));
  EXPECT_EQ(count, 4u);
  EXPECT_EQ(sum, 23);
  std::vector<std::int64_t> sums(6, 99);
  context.inclusive_scan(kept.data(), sums.data(), items_in_memory(&count, 6));
  EXPECT_EQ(sums, (std::vector<std::int64_t>{5, 12, 15, 23, 99, 99}));
  context.exclusive_scan(kept.data(), sums.data(), items_in_memory(&count, 3), plus, 1);
  EXPECT_EQ(sums, (std::vector<std::int64_t>{1, 6, 13, 23, 99, 99})) << "no more than the host knows of";
  const std::int32_t one = 1;
  context.reduce(kept.data(), &sum, items_in_memory(&count, 6), plus, in_memory(&one));
  EXPECT_EQ(sum, 24);
}

TEST_F(LimitedCalls, ResultsBeyondTheCapacityAreCountedAndNotWritten) {
  context.select_if(in.data(), kept.data(), &count, Items(6).capacity(2), greater, 0);
  EXPECT_EQ(kept, (std::vector<std::int32_t>{5, 7, 99, 99, 99, 99}));
  EXPECT_EQ(count, 4u);
  context.select_if(in.data(), static_cast<std::int32_t*>(nullptr), &count, Items(6).capacity(0), less, 0);
  EXPECT_EQ(count, 2u) << "without room for results, there need not be an array";
}

TEST_F(LimitedCalls, OfNoItemsFinish) {
  std::int32_t sum = 99;
  const std::uint32_t none = 0;
  context.reduce(in.data(), &sum, items_in_memory(&none, 6));
  EXPECT_EQ(sum, 0);
  context.select_if(in.data(), kept.data(), &count, items_in_memory(&none, 6), greater, 0);
  EXPECT_EQ(count, 0u);
}

TEST_F(LimitedCalls, BadOnesSayWhatToDo) {
  std::vector<std::uint64_t> numbers(8, 3);
  EXPECT_EQ(message([&] { context.reduce(in.data(), kept.data(), Items(6).capacity(2)); }),
            "reduce writes a result for each item: leave out the capacity");
  EXPECT_EQ(message([&] {
              context.reduce(in.data(), kept.data(), items_in_memory(static_cast<const std::uint64_t*>(nullptr), 6));
            }),
            "the address of the number of items is null: pass the address of a number in device memory");
  const auto* const odd = reinterpret_cast<const std::uint64_t*>(reinterpret_cast<const char*>(numbers.data()) + 4);
  EXPECT_THAT(message([&] { context.reduce(in.data(), kept.data(), items_in_memory(odd, 6)); }),
              testing::EndsWith("is not aligned for u64: pass an address that is a multiple of 8"));
  EXPECT_THAT(message([&] { context.inclusive_scan(numbers.data(), numbers.data(), items_in_memory(&numbers[2], 8)); }),
              testing::AllOf(testing::StartsWith("the number of items ("), testing::HasSubstr("lies within 'out' ("),
                             testing::EndsWith("which the call writes: use separate memory")));
  EXPECT_THAT(message([&] { context.select_if(in.data(), kept.data(), &count, items_in_memory(&count, 6), less, 0); }),
              testing::HasSubstr("lies within 'count' ("));
  EXPECT_EQ(numbers, std::vector<std::uint64_t>(8, 3)) << "nothing was written";
}

TEST(LimitsKernels, ArePreparedForACapture) {
  const auto engine = test::host_engine();
  const Problem problem = make_problem(Algorithm::reduce, plus, Type::i32, Type::i32, 6);
  const Plan plan = engine->plan(problem, nullptr);
  const auto holds = [&](const SourceOptions& options) {
    return engine->kernels().holds(generate(problem, plan.config(), Target::host, options).key);
  };
  const std::uint64_t three = 3;
  const std::int32_t initial = 100;
  const std::vector<std::int32_t> in{1, 2, 3, 4, 5, 6};
  std::int32_t sum = 0;
  Arguments arguments(items_in_memory(&three, 6));
  arguments.array("in", in.data()).array("out", &sum);
  EXPECT_FALSE(holds({.limits = true}));
  plan.prepare(arguments);
  EXPECT_TRUE(holds({.limits = true}));
  plan.run(arguments);
  EXPECT_EQ(sum, 6);

  arguments.scalar_in_memory("initial", &initial);
  EXPECT_FALSE(holds({.scalars_in_memory = true, .limits = true}));
  plan.prepare(arguments);
  EXPECT_TRUE(holds({.scalars_in_memory = true, .limits = true}));
  plan.run(arguments);
  EXPECT_EQ(sum, 106);
}

}  // namespace
}  // namespace upsweep
