// The rung `nearest_device`: which of several devices is the nearest, parts of a GPU among them.
#include <gmock/gmock.h>

#include "choose_support.hpp"

namespace upsweep::tuning_db {
namespace {

using testing::HasSubstr;

TEST(ChooseDevice, NearestDevice) {
  const Problem asked = scan_of(Type::i32, pow2(20));
  const Choice choice = choose_for(asked, {winner_of(asked, 1, device_of("A100", 8, 0)),
                                           winner_of(scan_of(Type::i32, pow2(21)), 2, device_of("H100", 9, 0, 114)),
                                           winner_of(asked, 3, device_of("L40", 8, 9))});
  EXPECT_EQ(choice.rung, Rung::nearest_device);
  EXPECT_EQ(time_of(choice), 2) << "the same capability goes before the same size";
  EXPECT_EQ(choice.reason,
            "tuned on H100 (compute capability 9.0, 114 multiprocessors, the nearest device known) for 2^21 items "
            "(this call: 2^20)");
}

TEST(ChooseDevice, NearestDeviceByCapabilityThenSizeOfTheDevice) {
  const Problem asked = scan_of(Type::i32, pow2(20));
  const Winner a100 = winner_of(asked, 80, device_of("A100", 8, 0));
  const Winner l40 = winner_of(asked, 89, device_of("L40", 8, 9));
  const Winner b200 = winner_of(asked, 100, device_of("B200", 10, 0));
  EXPECT_EQ(time_of(choose_for(asked, {a100, b200, l40})), 89);
  EXPECT_EQ(time_of(choose_for(asked, {a100, b200})), 80) << "equally far: the earlier row";
  const Winner small = winner_of(asked, 1, device_of("H100 slice", 9, 0, 16));
  const Winner near = winner_of(asked, 2, device_of("H100", 9, 0, 114));
  const Winner slow_memory = winner_of(asked, 3, device_of("H100 PCIe", 9, 0, 132, 2300000));
  const Winner no_ecc = winner_of(asked, 4, {"NVIDIA H200", 9, 0, 132, 6144, 3201000, false});
  EXPECT_EQ(time_of(choose_for(asked, {small, slow_memory, near})), 2);
  EXPECT_EQ(time_of(choose_for(asked, {small, slow_memory})), 3);
  EXPECT_EQ(time_of(choose_for(asked, {near, no_ecc})), 4);
}

// What the memory gives each multiprocessor counts beside their number: parts of one GPU have all of its memory.
TEST(ChooseDevice, NearestDeviceByBandwidthPerMultiprocessor) {
  const Problem asked = scan_of(Type::i32, pow2(20));
  constexpr int clock = 3201000;
  const auto nearer = [&](const DeviceIdentity& device, const DeviceIdentity& first, const DeviceIdentity& second) {
    return time_of(choose_for(asked, {winner_of(asked, 1, first), winner_of(asked, 2, second)}, false, device));
  };
  const DeviceIdentity same_balance = device_of("half an H200", 9, 0, 66, clock / 2);
  const DeviceIdentity same_memory = device_of("H200 with few multiprocessors", 9, 0, 66, clock);
  EXPECT_EQ(nearer(h200(), same_memory, same_balance), 2);
  EXPECT_EQ(nearer(h200(), same_balance, same_memory), 1);
  // Few multiprocessors take no more than so much each, whatever the memory could give.
  const DeviceIdentity part = device_of("NVIDIA H200", 9, 0, 16, clock);
  const DeviceIdentity slower_memory = device_of("another", 9, 0, 16, clock / 2);
  const DeviceIdentity smaller_part = device_of("NVIDIA H200", 9, 0, 12, clock);
  EXPECT_EQ(nearer(part, smaller_part, slower_memory), 2);
}

TEST(ChooseDevice, PartsOfADeviceServeEachOther) {
  const Problem asked = scan_of(Type::i32, pow2(20));
  const auto part = [](int multiprocessors) { return device_of("NVIDIA H200", 9, 0, multiprocessors); };
  const auto on = [&](int multiprocessors) { return winner_of(asked, multiprocessors, part(multiprocessors)); };
  ASSERT_EQ(part(132), h200());
  const Choice choice = choose_for(asked, {on(132), on(64), on(8)}, false, part(16));
  EXPECT_EQ(choice.rung, Rung::nearest_device);
  EXPECT_EQ(time_of(choice), 8);
  EXPECT_EQ(
      choice.reason,
      "tuned on NVIDIA H200 (compute capability 9.0, 8 multiprocessors, the nearest device known) for 2^20 items");
  EXPECT_EQ(time_of(choose_for(asked, {on(132), on(16), on(8)}, false, part(16))), 16);
  EXPECT_EQ(time_of(choose_for(asked, {on(64), on(120)}, false, h200())), 120);
  const DeviceIdentity older = device_of("NVIDIA A100", 8, 0, 16);
  EXPECT_EQ(time_of(choose_for(asked, {winner_of(asked, 1, older), on(64)}, false, part(16))), 64)
      << "the compute capability goes first";
}

// The memory gives each multiprocessor 37 GB/s in an H200, twice as much in 64 of them, and what one can take in fewer.
TEST(ChooseDevice, ADeviceOfAnotherBalanceIsNoGuide) {
  const Problem asked = scan_of(Type::i32, pow2(26));
  const auto part = [](int multiprocessors) { return device_of("NVIDIA H200", 9, 0, multiprocessors); };
  const auto rung = [&](int tuned, int asked_for) {
    return choose_for(asked, {winner_of(asked, 1, part(tuned))}, false, part(asked_for)).rung;
  };
  EXPECT_EQ(rung(132, 64), Rung::built_in);
  EXPECT_EQ(rung(64, 132), Rung::built_in);
  EXPECT_EQ(rung(132, 8), Rung::built_in);
  EXPECT_EQ(rung(132, 120), Rung::nearest_device);
  EXPECT_EQ(rung(32, 8), Rung::nearest_device);
  const Choice choice = choose_for(asked, {winner_of(asked, 1, part(132))}, false, part(16));
  EXPECT_EQ(choice.considered.front().verdict, "a device with another memory bandwidth per multiprocessor");
  EXPECT_EQ(choice.reason,
            "built-in default: no result for this problem or a similar one fits the size and the device");
  DeviceIdentity untold = part(16);
  untold.memory_clock_khz = 0;
  EXPECT_EQ(choose_for(asked, {winner_of(asked, 1, part(132))}, false, untold).rung, Rung::nearest_device);
}

TEST(ChooseDevice, TheReasonForADefaultNamesWhatOfTheDeviceDecides) {
  DeviceLimits limits = h200_limits();
  limits.multiprocessors = 64;
  limits.memory_gb_per_second = 4814;
  const DeviceIdentity part = device_of("NVIDIA H200", 9, 0, 64);
  EXPECT_EQ(
      choose(scan_of(Type::i32, pow2(26)), part, limits, {}).reason,
      "built-in default: neither this problem nor a similar one was tuned; reduce_ahead and states_per_lane are for "
      "64 multiprocessors with 75 GB/s of memory bandwidth each");
  EXPECT_EQ(choose(scan_of(Type::i32, pow2(10)), part, limits, {}).reason,
            "built-in default: neither this problem nor a similar one was tuned")
      << "another schedule";
}

TEST(ChooseDevice, HostAndGpuAreNeverNear) {
  const DeviceIdentity host{"host", 0, 0, 4, 0, 0, false};
  const Problem asked = scan_of(Type::i32, pow2(20));
  EXPECT_EQ(choose_for(asked, {winner_of(asked, 1, host)}).rung, Rung::built_in);
  EXPECT_EQ(choose_for(asked, {winner_of(asked, 1)}, false, host).rung, Rung::built_in);
  EXPECT_EQ(choose_for(asked, {winner_of(asked, 1, host)}, false, host).rung, Rung::exact);
  DeviceIdentity other = host;
  other.multiprocessors = 64;
  const Choice choice = choose_for(asked, {winner_of(asked, 1, other)}, false, host);
  EXPECT_EQ(choice.rung, Rung::nearest_device);
  EXPECT_THAT(choice.reason, HasSubstr("another host"));
}

}  // namespace
}  // namespace upsweep::tuning_db
