// Tunes that are stopped, and sizes for which there is no time.
#include <gmock/gmock.h>

#include <utility>

#include "base/cancellation.hpp"
#include "tests/tuner/tune_fixture.hpp"

namespace upsweep::tuner {
namespace {

using TuneTime = TuneTest;

TEST_F(TuneTime, StopKeepsTheRows) {
  std::stop_source stop;
  options.stop = stop.get_token();
  options.sizes = {100'000, 200'000};
  options.progress = [&](const TuneProgress& progress) {
    if (progress.trials == 3) stop.request_stop();
  };
  const TuneReport report = run();
  EXPECT_TRUE(report.stopped);
  ASSERT_EQ(report.sizes.size(), 1u);
  EXPECT_EQ(report.sizes[0].trials, 3);
  EXPECT_EQ(probes(path).size(), 3u);
  ASSERT_EQ(report.left_out.size(), 1u) << "what was not reached is listed";
  EXPECT_EQ(report.left_out[0].size, 200'000u);
  EXPECT_EQ(report.left_out[0].reason, "the tune was stopped before this size had a winner");
}

TEST_F(TuneTime, StoppedFromTheStart) {
  std::stop_source stop;
  stop.request_stop();
  options.stop = stop.get_token();
  const TuneReport report = run();
  EXPECT_TRUE(report.stopped);
  EXPECT_TRUE(report.sizes.empty());
  EXPECT_TRUE(rows(path).empty());
}

TEST_F(TuneTime, EverySizeHasATrialEvenWithoutABudget) {
  options.sizes = {1000, 100'000};
  options.maximum_trials = 0;
  options.budget = std::chrono::milliseconds(0);
  const TuneReport report = run();
  ASSERT_EQ(report.sizes.size(), 2u);
  for (const TunedSize& size : report.sizes) EXPECT_EQ(size.trials, 1);
}

// As where the first compiler or worker takes long to start.
TEST_F(TuneTime, ASizeThatHadNoTimeIsTriedAgainAfterTheOthers) {
  options.sizes = {1000, 100'000};
  options.maximum_trials = 3;
  options.budget = std::chrono::hours(1);
  int late = 1;
  fake.device->execute = [&](const FakeCall& call) {
    if (late-- > 0) throw base::Cancelled();
    compute(problem, call);
  };
  const TuneReport report = run();
  ASSERT_EQ(report.sizes.size(), 2u);
  EXPECT_EQ(report.sizes[0].size, 100'000u);
  EXPECT_EQ(report.sizes[1].size, 1000u);
  EXPECT_TRUE(report.left_out.empty());
}

TEST_F(TuneTime, ASizeThatNeverHasTimeIsLeftOut) {
  options.sizes = {1000, 100'000};
  options.maximum_trials = 3;
  options.budget = std::chrono::hours(1);
  // The first size is late, and late again when the second one has had its trials.
  bool late = true;
  options.progress = [&](const TuneProgress& progress) { late = progress.trials == 3; };
  fake.device->execute = [&, first = true](const FakeCall& call) mutable {
    if (late) {
      late = !std::exchange(first, false);
      throw base::Cancelled();
    }
    compute(problem, call);
  };
  const TuneReport report = run();
  ASSERT_EQ(report.left_out.size(), 1u);
  EXPECT_EQ(report.left_out[0].size, 1000u);
  EXPECT_THAT(report.left_out[0].reason, testing::HasSubstr("there was no time"));
  ASSERT_EQ(report.sizes.size(), 1u);
  EXPECT_EQ(report.sizes[0].size, 100'000u);
}

}  // namespace
}  // namespace upsweep::tuner
