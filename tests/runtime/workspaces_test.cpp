#include "runtime/workspaces.hpp"

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "runtime/host/host_device.hpp"

namespace upsweep::runtime {
namespace {

TEST(Workspaces, KeptForStreamAndLayout) {
  const auto device = std::make_shared<HostDevice>();
  Workspaces workspaces(device);
  const Stream first = device->create_stream(), second = device->create_stream();
  void* const memory = workspaces.get("tiles", 1000, first);
  EXPECT_EQ(workspaces.get("tiles", 1000, first), memory);
  EXPECT_EQ(workspaces.get("tiles", 10, first), memory);
  EXPECT_NE(workspaces.get("tiles", 1000, second), memory);
  EXPECT_NE(workspaces.get("partials", 1000, first), memory);
}

TEST(Workspaces, GrowZeroedAndLeaveTheOldInPlace) {
  const auto device = std::make_shared<HostDevice>();
  Workspaces workspaces(device);
  auto* const small = static_cast<unsigned char*>(workspaces.get("tiles", 100, nullptr));
  std::memset(small, 0x5a, 100);
  auto* const large = static_cast<unsigned char*>(workspaces.get("tiles", 1 << 20, nullptr));
  EXPECT_NE(small, large);
  EXPECT_TRUE(std::all_of(large, large + (1 << 20), [](unsigned char byte) { return byte == 0; }));
  EXPECT_TRUE(std::all_of(small, small + 100, [](unsigned char byte) { return byte == 0x5a; }))
      << "calls in flight use it";
  EXPECT_EQ(workspaces.get("tiles", (1 << 20) - 5, nullptr), large);
}

TEST(Workspaces, GrowByDoubling) {
  const auto device = std::make_shared<HostDevice>();
  Workspaces workspaces(device);
  void* const memory = workspaces.get("tiles", 1 << 20, nullptr);
  void* const grown = workspaces.get("tiles", (1 << 20) + 1, nullptr);
  EXPECT_NE(grown, memory);
  EXPECT_EQ(workspaces.get("tiles", 2 << 20, nullptr), grown);
}

}  // namespace
}  // namespace upsweep::runtime
