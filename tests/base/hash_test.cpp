#include "base/hash.hpp"

#include <gtest/gtest.h>

namespace upsweep::base {
namespace {

// The first is from the algorithm's specification. Others are in keys of caches and databases, and must not change.
TEST(Hash, IsWhatItWasBefore) {
  EXPECT_EQ(hash(""), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(hash("a"), hash("a"));
  EXPECT_NE(hash("a"), hash("b"));
  EXPECT_EQ(hash("a").size(), 32u);
}

}  // namespace
}  // namespace upsweep::base
