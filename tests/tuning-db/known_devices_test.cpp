#include "tuning-db/known_devices.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <upsweep/error.hpp>

#include "tuning-db/exchange.hpp"

namespace upsweep::tuning_db {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

DeviceIdentity gpu(const char* name, int major = 9) {
  return {.name = name, .compute_major = major, .compute_minor = 0, .multiprocessors = 114};
}

Winner winner_on(const DeviceIdentity& device) {
  Winner winner;
  winner.trial.device = device;
  return winner;
}

TEST(KnownDevices, AreTheGpusOfTheWinnersEachOnce) {
  const DeviceIdentity host{.name = "a processor"};
  const std::vector<Winner> winners{winner_on(gpu("A")), winner_on(host), winner_on(gpu("B")), winner_on(gpu("A"))};
  EXPECT_EQ(devices_of(winners), (std::vector<DeviceIdentity>{gpu("A"), gpu("B")}));
}

TEST(KnownDevices, ShippedOnesAreThoseOfTheShippedWinners) {
  EXPECT_EQ(shipped_devices(), devices_of(shipped_winners()));
  EXPECT_EQ(shipped_devices().front().name, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(shipped_devices().at(1).name, "NVIDIA H200");
}

TEST(KnownDevices, AreFoundByNameOrToldApart) {
  const std::vector<DeviceIdentity> known{gpu("NVIDIA H100 PCIe"), gpu("NVIDIA H200"), gpu("NVIDIA H200")};
  EXPECT_EQ(device_named("nvidia h200", known).name, "NVIDIA H200");
  EXPECT_THAT([&] { (void)device_named("H100", known); },
              ThrowsMessage<UsageError>(
                  "unknown device 'H100' (it has no tuning results): did you mean 'NVIDIA H100 PCIe'? use "
                  "one of NVIDIA H100 PCIe, NVIDIA H200"));
}

TEST(KnownDevices, OfOneNameAreToldApartByTheirMultiprocessors) {
  DeviceIdentity part = gpu("NVIDIA H200"), smaller = part;
  part.multiprocessors = 16, smaller.multiprocessors = 8;
  const std::vector<DeviceIdentity> known{part, gpu("NVIDIA H200"), smaller};
  EXPECT_EQ(device_named("NVIDIA H200", known).multiprocessors, 114) << "all of it";
  EXPECT_EQ(device_named("nvidia h200/16", known), part);
  EXPECT_EQ(device_named("NVIDIA H200/8", known), smaller);
  EXPECT_THROW((void)device_named("NVIDIA H200/24", known), UsageError);
}

TEST(KnownDevices, LimitsAreTheArchitecturesWithTheDevicesMultiprocessors) {
  DeviceLimits expected = limits_of_architecture("sm_90");
  expected.multiprocessors = 114;
  expected.memory_gb_per_second = memory_gb_per_second(gpu("A"));
  EXPECT_EQ(limits_of(gpu("A")), expected);
  EXPECT_THAT([] { (void)limits_of(gpu("A", 6)); },
              ThrowsMessage<UsageError>(HasSubstr("unknown architecture 'sm_60'")));
}

}  // namespace
}  // namespace upsweep::tuning_db
