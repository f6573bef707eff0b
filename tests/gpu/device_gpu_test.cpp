// The CUDA device itself: what it reports, and how it fails.
#include <gtest/gtest.h>
#include <upsweep/error.hpp>
#include <upsweep/upsweep.hpp>

#include "runtime/cuda/cuda_device.hpp"
#include "tests/gpu/gpu.hpp"

namespace upsweep {
namespace {

TEST(GpuDevice, ReportsItself) {
  const runtime::Device& device = test::gpu_engine()->device();
  EXPECT_GE(device.identity().compute_major, 7);
  EXPECT_GT(device.identity().multiprocessors, 0);
  EXPECT_GT(device.limits().l2_bytes, 1u << 20);
  EXPECT_GE(device.limits().shared_bytes_per_block, 48 * 1024);
  EXPECT_FALSE(device.driver_version().empty());
}

TEST(GpuDevice, AutoFindsTheGpu) {
  EXPECT_EQ(Context({.device = "auto", .database = "none"}).device(), "cuda:0");
}

TEST(GpuDevice, OutOfMemorySaysHowMuchIsFree) {
  try {
    (void)test::gpu_engine()->device().allocate(std::size_t{1} << 45);
    FAIL() << "allocated 32 TiB";
  } catch (const DeviceError& error) {
    EXPECT_NE(std::string(error.what()).find("has no room for 35184372088832 bytes"), std::string::npos)
        << error.what();
  }
}

TEST(GpuDevice, UnknownOrdinal) {
  EXPECT_THROW((void)runtime::CudaDevice::open(99), DeviceError);
  EXPECT_THROW(Context({.device = "cuda:99", .database = "none"}), DeviceError);
}

TEST(GpuDevice, DamagedBinaryIsRefused) {
  const std::vector<std::byte> nonsense(4096, std::byte{0x5a});
  EXPECT_THROW((void)test::gpu_engine()->device().load(nonsense, "upsweep_kernel", {}), DeviceError);
}

TEST(GpuDevice, LibraryCallsDeduceTypes) {
  Context context({.device = "cuda", .database = "none"});
  runtime::Device& device = context.engine()->device();
  const std::vector<unsigned char> input{200, 100, 50, 250};
  runtime::Buffer in(device, 4), sums(device, 4 * 8), total(device, 8);
  device.copy_to_device(in.data(), input.data(), 4, nullptr);
  const auto* items = static_cast<const unsigned char*>(in.data());
  context.inclusive_scan(items, static_cast<unsigned long long*>(sums.data()), 4);
  context.reduce(items, static_cast<unsigned long long*>(total.data()), 4, upsweep::maximum, 7);
  std::vector<unsigned long long> got(5);
  device.copy_to_host(got.data(), sums.data(), 32, nullptr);
  device.copy_to_host(&got[4], total.data(), 8, nullptr);
  EXPECT_EQ(got, (std::vector<unsigned long long>{200, 300, 350, 600, 250}));
}

}  // namespace
}  // namespace upsweep
