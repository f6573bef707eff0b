#include "generator/device_limits.hpp"

#include <gtest/gtest.h>

namespace upsweep {
namespace {

TEST(DeviceLimitsOfIdentity, AreTheArchitecturesWithTheDevicesMultiprocessors) {
  DeviceIdentity device{.name = "NVIDIA H100 PCIe", .compute_major = 9, .compute_minor = 0, .multiprocessors = 114};
  DeviceLimits expected = limits_of_architecture("sm_90");
  expected.multiprocessors = 114;
  EXPECT_EQ(limits_of(device), expected);
  device.compute_major = 99;
  EXPECT_EQ(limits_of(device), std::nullopt);
}

TEST(DeviceLimitsOfIdentity, AreTheHostDevices) {
  const DeviceIdentity host{.name = "host", .multiprocessors = 4};
  EXPECT_EQ(limits_of(host), host_limits());
  EXPECT_EQ(host_limits().compute_capability, 90);
  EXPECT_EQ(host_limits().multiprocessors, 4);
}

}  // namespace
}  // namespace upsweep
