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

TEST(DeviceLimitsOfParts, HaveThePortableCluster) {
  const DeviceLimits whole = limits_of_architecture("sm_90");
  EXPECT_EQ(whole.blocks_per_cluster, 16);
  EXPECT_EQ(limits_of_part(whole, whole.multiprocessors), whole);
  DeviceLimits part = whole;
  part.multiprocessors = 16;
  part.blocks_per_cluster = 8;
  EXPECT_EQ(limits_of_part(whole, 16), part);
  EXPECT_EQ(limits_of_architecture("sm_120").blocks_per_cluster, 8);
}

TEST(DeviceLimitsOfIdentity, AreTheHostDevices) {
  const DeviceIdentity host{.name = "host", .multiprocessors = 4};
  EXPECT_EQ(limits_of(host), host_limits());
  EXPECT_EQ(host_limits().compute_capability, 90);
  EXPECT_EQ(host_limits().multiprocessors, 4);
}

}  // namespace
}  // namespace upsweep
