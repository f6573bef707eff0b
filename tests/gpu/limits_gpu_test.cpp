// Calls with limits on a GPU: the number of items in device memory, and room for fewer results.
#include <gtest/gtest.h>

#include "generator/space.hpp"
#include "tests/gpu/gpu.hpp"
#include "tests/support/limits.hpp"

namespace upsweep {
namespace {

class GpuLimits : public testing::TestWithParam<test::Strategy> {};

TEST_P(GpuLimits, OfItemsAndResultsAreKept) {
  const auto engine = test::gpu_engine();
  if (!Space(GetParam().problem, engine->device().limits()).contains(GetParam().config)) {
    GTEST_SKIP() << "this device cannot run the config";
  }
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile;
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, tile - 1, 3 * tile, 5 * tile + 1, 300 * tile + 7}) {
    ASSERT_EQ(test::run_with_limits(engine->device(), plan, n, n + 1), std::nullopt);
  }
}

INSTANTIATE_TEST_SUITE_P(All, GpuLimits, testing::ValuesIn(test::limited_strategies(limits_of_architecture("sm_90"))),
                         test::by_name);

}  // namespace
}  // namespace upsweep
