// Null in place of an array, on the host device; tests/runtime/cuda/pointer_test.cpp has all addresses, on a GPU.
#include <gtest/gtest.h>
#include <upsweep/context.hpp>
#include <upsweep/error.hpp>

namespace upsweep {
namespace {

TEST(NullAddress, IsAnErrorOfTheHostDeviceTooInEveryCall) {
  Context context({.device = "host", .database = "none"});
  const int in[] = {3, 1, 2};
  int out = 0;
  int* const null = nullptr;
  EXPECT_THROW(context.reduce(in, null, 3), UsageError);
  context.reduce(in, &out, 3);
  EXPECT_EQ(out, 6);
  EXPECT_THROW(context.reduce(in, null, 3), UsageError);
  EXPECT_THROW(context.reduce(static_cast<const int*>(null), &out, 3), UsageError);
  EXPECT_EQ(out, 6);
}

}  // namespace
}  // namespace upsweep
