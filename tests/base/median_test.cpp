#include "base/median.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace upsweep::base {
namespace {

TEST(Median, IsInTheMiddle) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(median({}), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace upsweep::base
