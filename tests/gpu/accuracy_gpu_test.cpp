// Sums with an error term on a GPU: every schedule, method and type against sums without rounding, and large ones of
// which a plain sum is wrong; and sums in bins, to the bit.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "generator/accuracy.hpp"
#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "runtime/context_engine.hpp"
#include "tests/gpu/gpu.hpp"
#include "tests/gpu/parts.hpp"
#include "tests/support/accurate_sums.hpp"
#include "tests/support/binned_sum.hpp"
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

// The defaults of each schedule, the seeds of a search, and some that are drawn.
std::vector<Config> configs_of(const Space& space) {
  std::vector<Config> configs = space.seed_configs();
  for (const Schedule* schedule : space.schedules()) {
    const Config config = space.complete({std::string(schedule->name()), {}});
    if (space.contains(config)) configs.push_back(config);
    for (const char* load : {"direct", "vectorized"}) {
      for (const char* reduce : {"warp_reduces", "raking"}) {
        Config other = config;
        if (!other.values.contains("block_reduce")) continue;
        other.values["load"] = load;
        other.values["block_reduce"] = reduce;
        if (space.contains(other)) configs.push_back(other);
      }
    }
  }
  return configs;
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

// The bits of an integer sum, which the host device gives as well: every schedule and many configs, in any order.
TEST_P(GpuAccurateSums, InBinsAreTheSameBitsForEveryConfig) {
  const auto engine = test::gpu_engine();
  const std::uint64_t most = 60'001;
  Problem problem = sum_of(Algorithm::reduce, GetParam(), Accuracy::binned, most);
  const Space space(problem, engine->device().limits());
  std::mt19937_64 random(7);
  for (int turn = 0; turn < 4; ++turn) {
    std::vector<double> numbers = test::numbers_for_bins(GetParam(), most, turn, 11 + static_cast<unsigned>(turn));
    std::vector<double> all = numbers;
    all.push_back(-1.5);
    const double wanted = test::binned_sum(problem, all);
    for (const Config& config : configs_of(space)) {
      const Plan plan = engine->plan(problem, config, nullptr);
      EXPECT_TRUE(plan.reproducible());
      std::shuffle(numbers.begin(), numbers.end(), random);
      const double got = test::sums_of(engine->device(), plan, test::bytes_of_numbers(GetParam(), numbers), most,
                                       tuner::to_scalar(GetParam(), {.floating = -1.5}))
                             .at(0);
      ASSERT_EQ(got, wanted) << to_json(config) << ", turn " << turn;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, GpuAccurateSums, testing::Values(Type::f16, Type::bf16, Type::f32, Type::f64),
                         [](const auto& given) { return std::string(name(given.param)); });

// Of many items, on parts of several sizes, on the whole GPU and on the host device.
TEST(GpuBinnedSum, IsTheSameBitsOnPartsOfAGpuAndOnTheHost) {
  const std::uint64_t n = 5'000'003;
  const Problem problem = sum_of(Algorithm::reduce, Type::f32, Accuracy::binned, n);
  const std::vector<std::byte> items = test::cancelling_items(Type::f32, n, 9, 60);
  const auto sum_on = [&](const std::string& device) {
    const auto engine = runtime::Engine::open({.device = device, .database = "none"});
    return test::sums_of(engine->device(), engine->plan(problem, nullptr), items, n, Scalar::of(0.25f)).at(0);
  };
  const double wanted = sum_on("host");
  EXPECT_TRUE(std::isfinite(wanted));
  EXPECT_EQ(sum_on("cuda:0"), wanted);
  if (const std::string why = test::why_no_parts(); !why.empty()) GTEST_SKIP() << why;
  const runtime::PartSizes sizes = runtime::CudaDevice::open(0)->part_sizes();
  for (const int multiprocessors : {sizes.least, std::min(2 * sizes.least, sizes.most), sizes.most}) {
    EXPECT_EQ(sum_on("cuda:0" + to_string(runtime::Part{.multiprocessors = multiprocessors, .number = 0})), wanted)
        << multiprocessors;
  }
}

// Mixed signs, magnitudes from 1e-8 to 1e8, and a condition number of 10^4 and more. One addition after the other in
// f32 is off by far more.
TEST(GpuAccurateSum, OfManyNumbersIsWithinTwoUnits) {
  const auto engine = test::gpu_engine();
  const std::uint64_t n = 100'000'000;
  const std::vector<std::byte> items = test::cancelling_items(Type::f32, n, 10, 26);
  test::ExactSum exact;
  double magnitudes = 0;
  float naive = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double number = tuner::load_number(Type::f32, items.data() + i * sizeof(float)).floating;
    exact.add(number);
    magnitudes += std::abs(number);
    naive += static_cast<float>(number);
  }
  const double wanted = exact.value(), unit = std::ldexp(1.0, std::ilogb(wanted) - 23);
  ASSERT_GT(magnitudes / std::abs(wanted), 1e4);
  const auto sum_by = [&](Accuracy method) {
    const Plan plan = engine->plan(sum_of(Algorithm::reduce, Type::f32, method, n), nullptr);
    return test::sums_of(engine->device(), plan, items, n, Scalar::of(0.0f)).at(0);
  };
  for (const Accuracy method : {Accuracy::neumaier, Accuracy::double_double, Accuracy::binned}) {
    const double got = sum_by(method);
    EXPECT_LE(exact.distance(got), 2 * unit) << name(method) << ": " << got << ", the sum is " << wanted;
  }
  EXPECT_GT(exact.distance(naive), 1000 * unit) << naive << ", the sum is " << wanted;
  EXPECT_GT(exact.distance(sum_by(Accuracy::plain)), 4 * unit);
}

}  // namespace
}  // namespace upsweep
