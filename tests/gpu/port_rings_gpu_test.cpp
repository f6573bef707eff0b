// Problems of several arrays by the schedule lookahead on a GPU: rings of small tiles that are refilled three times and
// more, each array at an address of its own, in place and not.
#include <optional>

#include <gtest/gtest.h>

#include "generator/space.hpp"
#include "tests/gpu/gpu.hpp"
#include "tests/support/by_key.hpp"
#include "tests/support/port_rings.hpp"
#include "tests/support/selection.hpp"

namespace upsweep {
namespace {

using test::flagged_selection;
using test::reduction_by_key;

class GpuPortRings : public testing::TestWithParam<test::PortRing> {};

TEST_P(GpuPortRings, GiveWhatAPlainLoopGives) {
  const auto& engine = test::gpu_engine();
  if (!Space(GetParam().problem, engine->device().limits()).contains(GetParam().config)) {
    GTEST_SKIP() << "this device cannot run the config";
  }
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::uint64_t n = test::port_ring_items(plan, engine->device().limits().multiprocessors, seed);
    ASSERT_EQ(test::run_port_ring(engine->device(), plan, n, seed), std::nullopt)
        << "seed " << seed << ", " << n << " items";
  }
}

INSTANTIATE_TEST_SUITE_P(All, GpuPortRings, testing::ValuesIn(test::port_rings()),
                         [](const auto& parameter) { return parameter.param.name; });

// With tiles as calls of that size have them.
class GpuLargePorts : public testing::TestWithParam<Problem> {};

TEST_P(GpuLargePorts, GiveWhatAPlainLoopGives) {
  const auto& engine = test::gpu_engine();
  Problem problem = GetParam();
  problem.size = 1 << 26;
  const Plan plan = engine->plan(problem, Config{"lookahead", {}}, nullptr);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const std::uint64_t n = (std::uint64_t{1} << 23) + 12'345 * seed;
    ASSERT_EQ(test::run_port_ring(engine->device(), plan, n, seed), std::nullopt) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, GpuLargePorts,
    testing::Values(flagged_selection(less, Type::i32, Type::u8), flagged_selection(less, Type::f64, Type::u8),
                    flagged_selection(less, Type::u8, Type::f64), reduction_by_key(plus, Type::f64, Type::u32),
                    reduction_by_key(plus, Type::i32, Type::u32), reduction_by_key(plus, Type::i64, Type::u64),
                    reduction_by_key(plus, Type::c128, Type::u8)),
    [](const auto& given) {
      return std::string(name(given.param.algorithm)) + "_" + std::string(name(given.param.input)) + "_" +
             std::string(name(*given.param.key));
    });

}  // namespace
}  // namespace upsweep
