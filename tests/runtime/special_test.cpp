// NaN, infinities, subnormals and zeros of either sign go through every schedule as through a sequential loop, on the
// host device. tests/gpu/table_gpu_test.cpp has the same cases on a GPU.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/cases.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

class Special : public testing::TestWithParam<test::Strategy> {};

TEST_P(Special, MatchesSequentialLoop) {
  const auto engine = test::host_engine();
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile;
  for (const test::Data data : test::special_data()) {
    EXPECT_EQ(test::run_and_compare(engine->device(), plan, 3 * tile + 5, data, 1), std::nullopt);
    EXPECT_EQ(test::run_and_compare(engine->device(), plan, 37, data, 2, {.in_offset = 1, .out_offset = 1}),
              std::nullopt);
  }
}

// Compiling takes most of the time: each problem meets every second schedule, and each operator and type all of them.
std::vector<test::Strategy> every_second() {
  std::vector<test::Strategy> found;
  const std::vector<test::Strategy> all =
      test::special_strategies(test::host_engine()->device().limits(), test::Tiles::small);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool odd = i % 2 == 1, is_exclusive = all[i].problem.algorithm == Algorithm::exclusive_scan;
    if (odd == is_exclusive) found.push_back(all[i]);
  }
  return found;
}

INSTANTIATE_TEST_SUITE_P(All, Special, testing::ValuesIn(every_second()), test::by_name);

INSTANTIATE_TEST_SUITE_P(Ways, Special,
                         testing::ValuesIn(test::special_ways(test::host_engine()->device().limits(),
                                                              test::Tiles::small)),
                         test::by_name);

std::optional<std::string> difference_of(float wanted, float got, test::Zeros zeros = test::Zeros::by_sign) {
  return test::difference(Type::f32, std::as_bytes(std::span(&wanted, 1)), std::as_bytes(std::span(&got, 1)), zeros);
}

TEST(Difference, TellsZerosApartAndNotNans) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(difference_of(0.0f, 0.0f), std::nullopt);
  EXPECT_EQ(difference_of(0.0f, -0.0f), "item 0: expected 0, got -0");
  EXPECT_EQ(difference_of(-0.0f, 0.0f), "item 0: expected -0, got 0");
  EXPECT_EQ(difference_of(0.0f, -0.0f, test::Zeros::alike), std::nullopt);
  EXPECT_EQ(difference_of(nan, -nan), std::nullopt);
  EXPECT_NE(difference_of(nan, 0.0f), std::nullopt);
  EXPECT_NE(difference_of(0.0f, nan, test::Zeros::alike), std::nullopt);
}

// That the data are what they are called, in the results, too.
TEST(SpecialData, ShowsInTheResults) {
  const Problem sum = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::f32, Type::f32);
  const std::uint64_t n = 400;
  const auto results = [&](test::Data data) {
    const std::vector<std::byte> bytes =
        test::expected(sum, test::make_data(sum, n, data, 1), n, identity(sum.op, sum.accumulator));
    std::vector<float> values(n);
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  };
  const std::vector<float> zeros = results(test::Data::signed_zeros), subnormals = results(test::Data::subnormals),
                           infinities = results(test::Data::infinities), nans = results(test::Data::nans);
  EXPECT_TRUE(std::signbit(zeros[n / 2 - 1]));
  EXPECT_FALSE(std::signbit(zeros[n - 1]));
  EXPECT_GT(std::count_if(subnormals.begin(), subnormals.end(),
                          [](float value) { return std::fpclassify(value) == FP_SUBNORMAL; }),
            300);
  EXPECT_TRUE(std::isfinite(infinities[n / 2 - 1]));
  EXPECT_TRUE(std::isinf(infinities[n / 2]));
  EXPECT_TRUE(std::isnan(infinities[n - 1]));
  EXPECT_TRUE(std::isfinite(nans[2 * n / 3 - 1]));
  EXPECT_TRUE(std::isnan(nans[2 * n / 3]));
}

}  // namespace
}  // namespace upsweep
