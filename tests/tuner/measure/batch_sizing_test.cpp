#include "tuner/measure/batch_sizing.hpp"

#include <gtest/gtest.h>

namespace upsweep::tuner {
namespace {

// The share of the time in which a device works that waits so long between batches.
double busy_share(double waits_us, int batches = 100) {
  BatchSizing sizing;
  double now = 1e6, busy = 0, begin = now, busy_at_begin = 0;
  for (int i = 0; i < 2 * batches; ++i) {
    if (i == batches) begin = now, busy_at_begin = busy;  // by now it knows
    sizing.begin(now, busy);
    busy += sizing.batch_us();
    now += sizing.batch_us() + waits_us;
  }
  return (busy - busy_at_begin) / (now - begin);
}

TEST(BatchSizing, TheDeviceWaitsForATwentyFifthOfTheTimeAtMost) {
  for (const double waits_us : {100.0, 1000.0, 2000.0, 4000.0}) EXPECT_GE(busy_share(waits_us), 0.959) << waits_us;
}

TEST(BatchSizing, BatchesAreNoLongerThanTheyMustBe) {
  BatchSizing fast, slow, stuck;
  EXPECT_EQ(fast.batch_us(), 52'800);
  double now = 0, busy = 0, now_of_slow = 0, now_of_stuck = 0;
  for (int i = 0; i < 100; ++i) {
    fast.begin(now, busy);
    slow.begin(now_of_slow, busy);
    stuck.begin(now_of_stuck, busy);
    busy += 20'000;
    now += 20'000 + 100;
    now_of_slow += 20'000 + 3000;
    now_of_stuck += 20'000 + 1e6;
  }
  EXPECT_EQ(fast.batch_us(), 12'000);
  EXPECT_NEAR(slow.batch_us(), 72'000, 10);
  EXPECT_NEAR(stuck.batch_us(), 96'000, 10);
}

TEST(BatchSizing, OneLongWaitChangesLittle) {
  BatchSizing sizing;
  sizing.begin(0, 0);
  sizing.begin(10e6, 20'000);
  EXPECT_LT(sizing.batch_us(), 1.5 * 52'800);
}

TEST(BatchSizing, AClockThatSaysTheDeviceWorkedLongerThanThereWasTimeDoesNoHarm) {
  BatchSizing sizing;
  for (int i = 0; i < 100; ++i) sizing.begin(1000.0 * i, 2000.0 * i);
  EXPECT_EQ(sizing.batch_us(), 12'000);
}

}  // namespace
}  // namespace upsweep::tuner
