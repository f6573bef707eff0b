// Sums with an error term on a GPU: every schedule, method and type against sums without rounding, and large ones of
// which a plain sum is wrong.
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "generator/accuracy.hpp"
#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "tests/gpu/gpu.hpp"
#include "tests/support/accurate_sums.hpp"
#include "tests/support/scans.hpp"
#include "tuner/verify/number.hpp"

namespace upsweep {
namespace {

constexpr std::array methods{Accuracy::kahan, Accuracy::neumaier, Accuracy::double_double};

// Additions that an item goes through at most, with tiles of any size and any number of them.
constexpr double depth = 2000;

Problem sum_of(Algorithm algorithm, Type type, Accuracy accuracy, std::uint64_t size) {
  Problem problem = make_problem(algorithm, plus, type, type, size);
  problem.accuracy = accuracy;
  return problem;
}

class GpuAccurateSums : public testing::TestWithParam<Type> {};

TEST_P(GpuAccurateSums, OfEveryScheduleAreNearTheExactSum) {
  const auto engine = test::gpu_engine();
  const std::uint64_t most = 60'001;
  const std::vector<std::byte> items = test::cancelling_items(GetParam(), most, 1);
  for (const Algorithm algorithm : test::scans_and_reduces) {
    for (const Accuracy method : methods) {
      const Problem problem = sum_of(algorithm, GetParam(), method, most);
      const Space space(problem, engine->device().limits());
      for (const Schedule* schedule : space.schedules()) {
        const Config config = space.complete({std::string(schedule->name()), {}});
        if (!space.contains(config)) continue;  // a device without clusters, for one
        const Plan plan = engine->plan(problem, config, nullptr);
        const std::uint64_t tile = plan.source().launch.items_per_tile;
        for (const std::uint64_t n : {std::uint64_t{1}, tile, tile + 1, most}) {
          const double chain = schedule->name() == "sequential" ? static_cast<double>(n) : depth;
          ASSERT_EQ(test::sum_and_compare(engine->device(), plan, problem, items, std::min(n, most), -1.5, chain),
                    std::nullopt)
              << to_string(problem) << " " << to_json(config);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, GpuAccurateSums, testing::Values(Type::f16, Type::bf16, Type::f32, Type::f64),
                         [](const auto& given) { return std::string(name(given.param)); });

// Mixed signs, magnitudes from 1e-8 to 1e8, and a condition number of 10^3 and more.
TEST(GpuAccurateSum, OfManyNumbersIsWithinTwoUnits) {
  const auto engine = test::gpu_engine();
  const std::uint64_t n = 20'000'000;
  std::vector<std::byte> items = test::cancelling_items(Type::f32, n, 7, 26);
  test::ExactSum exact;
  double magnitudes = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double number = tuner::load_number(Type::f32, items.data() + i * sizeof(float)).floating;
    exact.add(number);
    magnitudes += std::abs(number);
  }
  const double wanted = exact.value(), unit = std::ldexp(1.0, std::ilogb(wanted) - 23);
  ASSERT_GT(magnitudes / std::abs(wanted), 1000);
  for (const Accuracy method : {Accuracy::neumaier, Accuracy::double_double}) {
    const Plan plan = engine->plan(sum_of(Algorithm::reduce, Type::f32, method, n), nullptr);
    const double got = test::sums_of(engine->device(), plan, items, n, Scalar::of(0.0f)).at(0);
    EXPECT_LE(exact.distance(got), 2 * unit) << name(method) << ": " << got << ", the sum is " << wanted;
  }
}

}  // namespace
}  // namespace upsweep
