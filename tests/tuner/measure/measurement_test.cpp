#include "tuner/measure/measurement.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/tuner/fake_device.hpp"

namespace upsweep::tuner {
namespace {

// Counts and remembers what it is called with; each call takes `call_us` on the device's clock.
struct Probe {
  explicit Probe(FakeDevice& device) {
    device.clock = [this](const std::string&, int) {
      const double elapsed = call_us * static_cast<double>(ins.size() - counted);
      calls_per_sample.push_back(static_cast<int>(ins.size() - counted));
      counted = ins.size();
      return elapsed;
    };
  }
  [[nodiscard]] TimedCall call() {
    return [this](const SlotArrays& arrays, runtime::Stream) {
      ins.push_back(static_cast<const std::byte*>(arrays[0]));
      outs.push_back(static_cast<const std::byte*>(arrays[1]));
    };
  }
  double call_us = 10;
  std::size_t counted = 0;
  std::vector<const std::byte*> ins;
  std::vector<const std::byte*> outs;
  std::vector<int> calls_per_sample;
};

struct MeasurementTest : testing::Test {
  FakeDevice device;
};

struct ProbedMeasurement : MeasurementTest {
  Probe probe{device};
};

TEST_F(ProbedMeasurement, RotatesThroughAllSlots) {
  device.own_limits = with_l2(1000);
  Measurement measurement(device, nullptr, in_and_out(80, 40));
  ASSERT_EQ(measurement.slots().count(), 34);
  (void)measurement.time(probe.call());
  ASSERT_GT(probe.ins.size(), 34u);
  const std::set<const std::byte*> inputs(probe.ins.begin(), probe.ins.end());
  const std::set<const std::byte*> outputs(probe.outs.begin(), probe.outs.end());
  EXPECT_EQ(inputs.size(), 34u);
  EXPECT_EQ(outputs.size(), 34u);
  for (std::size_t i = 34; i < probe.ins.size(); ++i) {
    ASSERT_EQ(probe.ins[i], probe.ins[i - 34]) << "a slot comes back only when all others have been used";
  }
  const std::byte* before = nullptr;
  for (const std::byte* in : inputs) {
    if (before != nullptr) {
      EXPECT_GE(in - before, 80) << "slots overlap";
    }
    before = in;
  }
}

TEST_F(ProbedMeasurement, FillsEverySlotWithThePattern) {
  const Bytes pattern{std::byte{1}, std::byte{2}, std::byte{3}};
  Measurement measurement(device, nullptr, in_and_out(300, 10, pattern));
  (void)measurement.time(probe.call());
  for (const std::byte* in : std::set<const std::byte*>(probe.ins.begin(), probe.ins.end())) {
    for (std::size_t i = 0; i < 300; ++i) ASSERT_EQ(in[i], pattern[i % 3]) << i;
  }
}

TEST_F(ProbedMeasurement, SamplesAreLongEnoughAndSaidPerCall) {
  Measurement measurement(device, nullptr, in_and_out(100, 100));
  const auto samples = measurement.time(probe.call(), {.samples = 5});
  EXPECT_EQ(samples, std::vector<double>(5, 10.0));
  ASSERT_GE(probe.calls_per_sample.size(), 5u);
  for (std::size_t i = probe.calls_per_sample.size() - 5; i < probe.calls_per_sample.size(); ++i) {
    EXPECT_EQ(probe.calls_per_sample[i], 100) << "1000 us of calls of 10 us";
  }
}

TEST_F(ProbedMeasurement, ASlowCallIsASampleAndAFastOneIsCapped) {
  Measurement measurement(device, nullptr, in_and_out(100, 100));
  probe.call_us = 5000;
  (void)measurement.time(probe.call(), {.samples = 3});
  EXPECT_EQ(probe.calls_per_sample.back(), 1);
  probe.call_us = 0.01;
  (void)measurement.time(probe.call(), {.samples = 3, .maximum_calls = 64});
  EXPECT_EQ(probe.calls_per_sample.back(), 64);
  probe.call_us = 0;  // a clock that does not advance
  EXPECT_EQ(measurement.time(probe.call(), {.samples = 3, .maximum_calls = 64}), std::vector<double>(3, 0.0));
}

TEST_F(ProbedMeasurement, OneCallASampleOnTheHost) {
  device.own_target = Target::host;
  Measurement measurement(device, nullptr, in_and_out(100, 100));
  EXPECT_EQ(measurement.slots().count(), 2);
  EXPECT_EQ(measurement.time(probe.call()).size(), 7u);
  for (const int calls : probe.calls_per_sample) EXPECT_EQ(calls, 1);
}

TEST_F(ProbedMeasurement, StopsEarlyBeyondTheLimit) {
  Measurement measurement(device, nullptr, in_and_out(100, 100));
  EXPECT_EQ(measurement.time(probe.call(), {.limit_us = 9}).size(), 1u);
  EXPECT_EQ(measurement.time(probe.call(), {.limit_us = 11}).size(), 7u);
}

TEST_F(ProbedMeasurement, TheHopelessRunOnce) {
  probe.call_us = 1'000'000;
  Measurement measurement(device, nullptr, in_and_out(100, 100));
  EXPECT_EQ(measurement.time(probe.call(), {.limit_us = 30}), std::vector<double>{1'000'000});
  EXPECT_EQ(probe.ins.size(), 1u);
}

TEST_F(MeasurementTest, InTurn) {
  std::string order;
  double now = 0;
  device.clock = [&](const std::string&, int) { return std::exchange(now, 0.0); };
  const std::vector<TimedCall> calls{[&](const SlotArrays&, runtime::Stream) {
                                       order += 'a';
                                       now += 2000;
                                     },
                                     [&](const SlotArrays&, runtime::Stream) {
                                       order += 'b';
                                       now += 3000;
                                     }};
  Measurement measurement(device, nullptr, in_and_out(100, 100));
  const auto samples = measurement.time_in_turn(calls, {.samples = 3});
  EXPECT_EQ(samples, (std::vector<std::vector<double>>{{2000, 2000, 2000}, {3000, 3000, 3000}}));
  EXPECT_TRUE(order.ends_with("ababab")) << order;
}

TEST_F(MeasurementTest, TakesFewerSlotsWhereMemoryIsShort) {
  device.own_limits = with_l2(100'000);
  device.memory_left = 100'000;
  {
    Measurement measurement(device, nullptr, in_and_out(2560, 2560));
    EXPECT_EQ(measurement.slots().count(), 19) << "79 slots, halved twice";
  }
  EXPECT_EQ(device.memory_left, 100'000u) << "all was given back";
  device.memory_left = 1000;
  EXPECT_EQ(message_of<DeviceError>([&] { Measurement(device, nullptr, in_and_out(2560, 2560)); }),
            "the fake device has no memory for 2560 bytes");
}

TEST_F(ProbedMeasurement, WarmCallsUseOneSlot) {
  device.own_limits = with_l2(1000);
  Measurement measurement(device, nullptr, in_and_out(80, 40));
  (void)measurement.time(probe.call(), {.caches = Caches::warm});
  EXPECT_EQ(std::set<const std::byte*>(probe.ins.begin(), probe.ins.end()).size(), 1u);
}

// A host clock that advances when a test says so.
struct FakeClock {
  double now = 1000;
  HostClock read() {
    return [this] { return now; };
  }
};

TEST_F(MeasurementTest, SynchronizedSamplesAreMediansOfSingleCallsOnTheHostsClock) {
  FakeClock clock;
  Measurement measurement(device, nullptr, in_and_out(80, 40), clock.read());
  int called = 0;
  const auto samples =
      measurement.time([&](const SlotArrays&, runtime::Stream) { clock.now += ++called % 5 == 0 ? 5000 : 20; },
                       {.samples = 4, .timing = Timing::synchronized});
  EXPECT_EQ(samples, std::vector<double>(4, 20.0)) << "a call in five that was interrupted does not show";
}

TEST_F(MeasurementTest, LaunchedSamplesWaitForNothing) {
  device.held_us = 0.5;
  device.clock = [](const std::string&, int) { return 3.0; };
  Measurement measurement(device, nullptr, in_and_out(80, 40));
  const TimedCall call = [](const SlotArrays&, runtime::Stream) {};
  EXPECT_EQ(measurement.time(call, {.samples = 3, .maximum_calls = 1}), std::vector<double>(3, 0.5));
  EXPECT_EQ(measurement.time(call, {.samples = 3, .maximum_calls = 1, .timing = Timing::launched}),
            std::vector<double>(3, 3.0));
}

TEST_F(MeasurementTest, EnqueuedSamplesAreTheHostsTimePerCall) {
  FakeClock clock;
  Measurement measurement(device, nullptr, in_and_out(80, 40), clock.read());
  const auto samples = measurement.time([&](const SlotArrays&, runtime::Stream) { clock.now += 2; },
                                        {.samples = 3, .maximum_calls = 200, .timing = Timing::enqueued});
  EXPECT_EQ(samples, std::vector<double>(3, 2.0));
}

TEST_F(MeasurementTest, KeepsToItsBudgetWithShorterAndFewerSamples) {
  FakeClock clock;
  std::size_t calls = 0, counted = 0;
  device.clock = [&](const std::string&, int) {
    return 100.0 * static_cast<double>(calls - std::exchange(counted, calls));
  };
  const std::vector<TimedCall> two(2, [&](const SlotArrays&, runtime::Stream) {
    ++calls;
    clock.now += 100;
  });
  Measurement measurement(device, nullptr, in_and_out(80, 40), clock.read());
  const double begin = clock.now;
  const auto samples = measurement.time_in_turn(two, {.samples = 9, .budget_us = 10'000});
  EXPECT_EQ(samples[0], std::vector<double>(8, 100.0)) << "14 calls to warm up, then rounds of 1000 us";
  EXPECT_LE(clock.now - begin, 10'000);
  EXPECT_GE(clock.now - begin, 9'000) << "and uses it";

  const auto few = measurement.time_in_turn(two, {.samples = 9, .budget_us = 1'500});
  EXPECT_EQ(few[0].size(), 5u) << "two calls each to warm up, then rounds of 200 us";
  const auto fewest = measurement.time_in_turn(two, {.samples = 9, .budget_us = 1});
  EXPECT_EQ(fewest[0].size(), 3u);
  EXPECT_EQ(measurement.time_in_turn(two, {.samples = 2, .budget_us = 1})[1].size(), 2u);
}

TEST_F(ProbedMeasurement, SharesMemoryWithOthers) {
  device.own_limits = with_l2(1000);
  const Bytes pattern{std::byte{1}, std::byte{2}};
  RotationMemory memory(device, nullptr, in_and_out(2560, 25600, pattern));
  const std::uint64_t left = device.memory_left;
  Measurement small(device, nullptr, in_and_out(200, 100), memory);
  EXPECT_EQ(device.memory_left, left) << "nothing more was allocated";
  EXPECT_EQ(small.slots().count(), 10) << "as many inputs as there is room for, of 14";
  (void)small.time(probe.call());
  for (const std::byte* in : probe.ins) {
    ASSERT_EQ(in[0], pattern[0]);
    ASSERT_EQ(in[199], pattern[1]);
  }
  EXPECT_EQ(Measurement(device, nullptr, in_and_out(2560, 2560), memory).slots().count(), 1);
  EXPECT_EQ(message_of<DeviceError>([&] { Measurement(device, nullptr, in_and_out(2561, 10), memory); }),
            "a call needs 2561 bytes of input and 10 bytes of output, but the memory for measuring has only 2560 and "
            "25600 bytes: use fewer items");
}

TEST_F(ProbedMeasurement, SamplesOfThrottledClocksAreTakenAgain) {
  int asked = 0;
  device.clock_state = [&]() -> runtime::ClockState {
    ++asked;
    return asked == 1 ? runtime::ClockState{1200, "power cap"} : runtime::ClockState{1755, ""};
  };
  // The samples that are dropped would show.
  device.clock = [&](const std::string&, int) { return asked == 0 ? 900.0 : 10.0; };
  Measurement measurement(device, nullptr, in_and_out(80, 40));
  const std::vector<double> samples = measurement.time(probe.call(), {.samples = 4, .maximum_calls = 1});
  EXPECT_EQ(samples, (std::vector<double>{10, 10, 10, 10}));
  EXPECT_EQ(measurement.dropped(), 4);
  EXPECT_EQ(measurement.clocks().multiprocessor_mhz, 1755);
}

TEST_F(ProbedMeasurement, ADeviceThatIsAlwaysThrottledIsMeasuredAsItIs) {
  device.clock_state = [] { return runtime::ClockState{900, "temperature (hardware)"}; };
  Measurement measurement(device, nullptr, in_and_out(80, 40));
  EXPECT_EQ(measurement.time(probe.call(), {.samples = 3}).size(), 3u);
  EXPECT_EQ(measurement.dropped(), 3);
  EXPECT_TRUE(measurement.clocks().throttled());
}

TEST_F(ProbedMeasurement, RoundsOfThrottledClocksAreDroppedForAll) {
  int asked = 0;
  device.clock_state = [&] { return ++asked == 1 ? runtime::ClockState{1200, "power cap"} : runtime::ClockState{}; };
  Measurement measurement(device, nullptr, in_and_out(80, 40));
  const std::vector<TimedCall> calls{probe.call(), probe.call()};
  const auto samples = measurement.time_in_turn(calls, {.samples = 3});
  EXPECT_EQ(samples[0].size(), 3u);
  EXPECT_EQ(samples[1].size(), 3u);
  EXPECT_EQ(measurement.dropped(), 1);
}

}  // namespace
}  // namespace upsweep::tuner
