// Samples of calls that are recorded once.
#include <gtest/gtest.h>

#include "tests/tuner/fake_device.hpp"
#include "tuner/measure/measurement.hpp"

namespace upsweep::tuner {
namespace {

// A call takes 4 us launched and 2 us replayed.
class Replayed : public testing::Test {
 protected:
  Replayed() {
    device.records = true;
    device.own_limits.l2_bytes = 1000;
    device.clock = [this](const std::string&, int) { return std::exchange(now, 0.0); };
    device.replayed = [this] {
      ++replays;
      now += replayed_us * recorded;
    };
  }
  TimedCall call() {
    return [this](const SlotArrays& arrays, runtime::Stream) {
      if (device.capturing) {
        ++recorded;
      } else {
        ++launched;
        now += launched_us;
      }
      ins.insert(arrays[0]);
    };
  }
  [[nodiscard]] std::vector<double> time(Measurement& measurement, Series& series) const {
    return measurement.finish(measurement.start(series, options)).front();
  }
  FakeDevice device;
  double now = 0, launched_us = 4, replayed_us = 2;
  int launched = 0, recorded = 0, replays = 0;
  std::set<const void*> ins;
  TimingOptions options{.samples = 5, .timing = Timing::replayed};
};

TEST_F(Replayed, CallsAreRecordedOnceAndEverySampleIsAReplay) {
  Measurement measurement(device, nullptr, in_and_out(100, 100));
  Series series(call());
  EXPECT_EQ(time(measurement, series), std::vector<double>(5, 2.0));
  EXPECT_EQ(recorded, 250) << "1000 us of calls of 4 us";
  EXPECT_EQ(launched, 1 + 8) << "to find that out";
  EXPECT_EQ(replays, 1 + 5);
  EXPECT_EQ(time(measurement, series).size(), 5u);
  EXPECT_EQ(recorded, 250);
  EXPECT_EQ(launched, 9) << "it is known by now";
  EXPECT_EQ(replays, 6 + 5);
  EXPECT_EQ(measurement.busy_us(), 9 * 4 + 11 * 500);
}

TEST_F(Replayed, NoMoreThanTheOptionsAllow) {
  Measurement measurement(device, nullptr, in_and_out(100, 100));
  options.maximum_recorded = 20;
  (void)measurement.time(call(), options);
  EXPECT_EQ(recorded, 20);
}

// Few calls would find their input in the cache when they are replayed: it is emptied before.
TEST_F(Replayed, CachesAreCold) {
  Measurement measurement(device, nullptr, in_and_out(10, 10));
  ASSERT_EQ(measurement.slots().count(), 201);
  const std::size_t before = device.filled_bytes;
  options.sample_us = 200;
  (void)measurement.time(call(), options);
  EXPECT_EQ(recorded, 50);
  EXPECT_EQ(device.filled_bytes - before, 6 * 2000u) << "twice the cache, before every replay";
  EXPECT_EQ(ins.size(), 50u + 9u);

  recorded = 0;
  const std::size_t after = device.filled_bytes;
  options.sample_us = 4000;
  options.maximum_recorded = 1000;
  (void)measurement.time(call(), options);
  EXPECT_EQ(recorded, 1000);
  EXPECT_EQ(device.filled_bytes, after) << "they rotate through more than the cache themselves";

  options.sample_us = 200;
  options.caches = Caches::warm;
  (void)measurement.time(call(), options);
  EXPECT_EQ(device.filled_bytes, after);
}

TEST_F(Replayed, WhereNothingIsRecordedCallsAreTimedBackToBack) {
  device.records = false;
  device.held_us = 30;
  Measurement measurement(device, nullptr, in_and_out(100, 100));
  const std::vector<double> samples = measurement.time(call(), options);
  EXPECT_EQ(samples.size(), 5u);
  EXPECT_LT(samples[0], 1) << "the batch in the held stream, over its calls";
}

TEST_F(Replayed, TheHopelessAreNotRecorded) {
  Measurement measurement(device, nullptr, in_and_out(100, 100));
  launched_us = 100'000;
  options.limit_us = 10;
  EXPECT_EQ(measurement.time(call(), options), std::vector<double>{100'000});
  EXPECT_EQ(recorded, 0);
  launched_us = replayed_us = 20;
  EXPECT_EQ(measurement.time(call(), options), std::vector<double>{20}) << "beyond the limit: one sample";
}

TEST_F(Replayed, AllSamplesAreUnderWayWhenTheTimingIsStarted) {
  Measurement measurement(device, nullptr, in_and_out(100, 100));
  device.clock_state = [] { return runtime::ClockState{1755, ""}; };
  Series series(call());
  StartedSamples started = measurement.start(series, options);
  EXPECT_TRUE(started.under_way.has_value());
  EXPECT_EQ(replays, 6);
  device.clock_state = [] { return runtime::ClockState{900, ""}; };
  EXPECT_EQ(measurement.finish(std::move(started)).front(), std::vector<double>(5, 2.0));
  EXPECT_EQ(measurement.clocks().multiprocessor_mhz, 1755) << "read while the device was at them";
  EXPECT_EQ(replays, 6);
  options.timing = Timing::launched;
  Series other(call());
  EXPECT_FALSE(measurement.start(other, options).under_way.has_value());
}

TEST_F(Replayed, RecordedAheadLikeAnother) {
  Measurement measurement(device, nullptr, in_and_out(100, 100));
  Series series(call()), next(call()), other(call());
  measurement.record_ahead(next, series, options);
  EXPECT_EQ(recorded, 0) << "the one that it is like is not recorded";
  (void)time(measurement, series);
  ASSERT_EQ(std::exchange(recorded, 0), 250);
  measurement.record_ahead(next, series, options);
  EXPECT_EQ(recorded, 250);
  measurement.record_ahead(next, series, options);
  EXPECT_EQ(recorded, 250) << "once";
  launched = 0;
  EXPECT_EQ(time(measurement, next), std::vector<double>(5, 2.0));
  EXPECT_EQ(launched, 1) << "that it is not hopeless";

  measurement.record_ahead(other, series, options);
  ASSERT_EQ(std::exchange(recorded, 0), 500);
  launched_us = replayed_us = 400;
  (void)time(measurement, other);
  EXPECT_EQ(recorded, 3) << "far slower: anew, with fewer calls";
}

TEST_F(Replayed, ADeviceThatIsAlwaysThrottledIsMeasuredOnceMore) {
  device.clock_state = [] { return runtime::ClockState{900, "power cap"}; };
  Measurement measurement(device, nullptr, in_and_out(100, 100));
  Series series(call());
  const std::vector<Series*> one{&series};
  options.samples = 20;
  EXPECT_EQ(measurement.finish(measurement.start_in_turn(one, options))[0].size(), 20u);
  EXPECT_EQ(replays, 1 + 2 * 20);
  EXPECT_EQ(measurement.dropped(), 20);
}

TEST_F(Replayed, RoundsInTurnAreAddedAtOnce) {
  Measurement measurement(device, nullptr, in_and_out(100, 100));
  std::string order;
  const auto noting = [&](char name) {
    return [this, &order, name](const SlotArrays&, runtime::Stream) {
      if (!device.capturing) now += 600;
      if (device.capturing) order += name, recorded = 1;
    };
  };
  replayed_us = 1200;  // two calls
  Series a(noting('a')), b(noting('b'));
  options.samples = 3;
  const std::vector<Series*> both{&a, &b};
  StartedSamples started = measurement.start_in_turn(both, options);
  EXPECT_EQ(replays, 2 + 2 * 3) << "all rounds";
  EXPECT_EQ(measurement.finish(std::move(started)),
            (std::vector<std::vector<double>>{{600, 600, 600}, {600, 600, 600}}));
  EXPECT_EQ(order, "aabb") << "recorded once each, two calls a sample";
}

}  // namespace
}  // namespace upsweep::tuner
