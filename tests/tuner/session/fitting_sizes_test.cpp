#include "tuner/session/fitting_sizes.hpp"

#include <gtest/gtest.h>

namespace upsweep::tuner {
namespace {

constexpr std::uint64_t power(int exponent) {
  return std::uint64_t{1} << exponent;
}

// At a microsecond an item, 2^20 items take about 8.5 s: eight calls, and 2^17 items that are checked.
TEST(FittingSizes, AllWhereThereIsTime) {
  const std::vector<std::uint64_t> sizes{power(20), power(10)};
  const FittingSizes found = fitting_sizes(sizes, 1, 20);
  EXPECT_EQ(found.fit, sizes);
  EXPECT_TRUE(found.too_large.empty());
  EXPECT_EQ(found.largest, power(20));
}

TEST(FittingSizes, TheLargestGoFirstAndTheOthersHaveTheirTime) {
  const std::vector<std::uint64_t> sizes{power(28), power(20), power(24)};
  const FittingSizes found = fitting_sizes(sizes, 1, 12);
  EXPECT_EQ(found.fit, std::vector<std::uint64_t>{power(20)}) << "it alone has all of the time";
  EXPECT_EQ(found.too_large, (std::vector<std::uint64_t>{power(28), power(24)}));
  EXPECT_EQ(found.largest, power(18)) << "in a third of it";
  EXPECT_NEAR(found.all_seconds, 3 * 8 * 268.4, 10);
}

TEST(FittingSizes, NoneWhereThereIsNoTime) {
  const std::vector<std::uint64_t> sizes{power(20)};
  for (const double seconds : {0.0, -1.0}) {
    const FittingSizes found = fitting_sizes(sizes, 1, seconds);
    EXPECT_TRUE(found.fit.empty());
    EXPECT_EQ(found.largest, 0u);
  }
  EXPECT_GT(seconds_needed(power(20), 1), seconds_needed(power(19), 1));
}

}  // namespace
}  // namespace upsweep::tuner
