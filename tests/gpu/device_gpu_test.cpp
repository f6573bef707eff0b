// The CUDA device itself: what it reports, and how it fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <upsweep/error.hpp>
#include <upsweep/upsweep.hpp>

#include <chrono>

#include "runtime/context_engine.hpp"
#include "runtime/cuda/cuda_device.hpp"
#include "tests/gpu/gpu.hpp"
#include "tests/support/message_of.hpp"
#include "tuner/verify/device_comparison.hpp"

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
  EXPECT_THAT(test::message_of<DeviceError>([&] { (void)test::gpu_engine()->device().allocate(std::size_t{1} << 45); }),
              testing::HasSubstr("cannot allocate 35184372088832 bytes"));
}

TEST(GpuDevice, UnknownOrdinal) {
  EXPECT_THROW((void)runtime::CudaDevice::open(99), DeviceError);
  EXPECT_THROW(Context({.device = "cuda:99", .database = "none"}), DeviceError);
}

TEST(GpuDevice, DamagedBinaryIsRefused) {
  const std::vector<std::byte> nonsense(4096, std::byte{0x5a});
  EXPECT_THROW((void)test::gpu_engine()->device().load(nonsense, "upsweep_kernel", {}), DeviceError);
}

TEST(GpuDevice, ComparesItsOwnMemory) {
  runtime::Device& device = test::gpu_engine()->device();
  tuner::DeviceComparison comparison(device, test::gpu_engine()->kernels());
  for (const std::uint64_t bytes : {16u, 4096u, 1u << 24}) {
    runtime::Buffer a(device, bytes), b(device, bytes);
    device.fill(a.data(), 7, bytes, nullptr);
    device.fill(b.data(), 7, bytes, nullptr);
    const auto same = [&] {
      comparison.begin(nullptr);
      comparison.compare(a.data(), b.data(), bytes, nullptr);
      return comparison.all_same(nullptr);
    };
    comparison.begin(nullptr);
    EXPECT_TRUE(comparison.all_same(nullptr)) << "nothing was compared";
    EXPECT_TRUE(same()) << bytes;
    for (const std::uint64_t at : {std::uint64_t{0}, bytes / 2 + 1, bytes - 1}) {
      device.fill(static_cast<std::byte*>(b.data()) + at, 8, 1, nullptr);
      EXPECT_FALSE(same()) << at << " of " << bytes;
      comparison.begin(nullptr);
      comparison.compare(a.data(), b.data(), bytes, nullptr);
      comparison.compare(a.data(), a.data(), bytes, nullptr);
      EXPECT_FALSE(comparison.all_same(nullptr)) << "one of two";
      device.fill(static_cast<std::byte*>(b.data()) + at, 7, 1, nullptr);
    }
    EXPECT_TRUE(same()) << bytes;
  }
}

// A busy host does not show in what the device takes for many calls.
TEST(GpuDevice, CallsBackToBackAreTimedAtTheDevicesPace) {
  runtime::Device& device = test::gpu_engine()->device();
  const runtime::Stream stream = device.create_stream();
  runtime::Buffer memory(device, 256);
  const auto slow_fill = [&] {
    device.fill(memory.data(), 0, 256, stream);
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(200);
    while (std::chrono::steady_clock::now() < end) {
    }
  };
  const std::vector<runtime::Batch> batches{{slow_fill, 100, 0}, {slow_fill, 100, 0}};
  for (const double us : device.back_to_back_us(stream, batches)) {
    EXPECT_LT(us, 100 * 100.0) << "the host takes 200 us for each";
  }
  EXPECT_GT(device.elapsed_us(stream,
                              [&] {
                                for (int i = 0; i < 100; ++i) slow_fill();
                              }),
            95 * 200.0);
  device.destroy_stream(stream);
}

// Calls that depend on the ones before them, as they do when they are launched.
TEST(GpuDevice, RecordedCallsRunAgainAndAgain) {
  constexpr std::uint64_t n = std::uint64_t{1} << 16;
  runtime::Device& device = test::gpu_engine()->device();
  const runtime::Stream stream = device.create_stream();
  runtime::Buffer in(device, 4 * n), sums(device, 4 * n), sums_of_sums(device, 4 * n);
  const std::vector<std::uint32_t> ones(n, 1);
  std::vector<std::uint32_t> got(n);
  device.copy_to_device(in.data(), ones.data(), 4 * n, stream);
  device.fill(sums_of_sums.data(), 0xff, 4 * n, stream);
  {
    const Problem problem = make_problem(Algorithm::inclusive_scan, plus, Type::u32, Type::u32, n);
    const Plan plan = test::gpu_engine()->plan(problem, stream);
    plan.prepare(n, stream);
    const std::unique_ptr<runtime::Recording> recording = device.record(stream, [&] {
      plan.run(in.data(), sums.data(), n, stream);
      plan.run(sums.data(), sums_of_sums.data(), n, stream);
    });
    ASSERT_NE(recording, nullptr);
    device.copy_to_host(got.data(), sums_of_sums.data(), 4 * n, stream);
    EXPECT_EQ(got[n - 1], ~0u) << "nothing ran yet";
    for (int round = 0; round < 3; ++round) {
      device.fill(sums.data(), 0xff, 4 * n, stream);
      device.fill(sums_of_sums.data(), 0xff, 4 * n, stream);
      const std::vector<std::function<void()>> works(2, [&] { recording->replay(stream); });
      for (const double us : device.start_timing(stream, works)->finish()) EXPECT_GT(us, 1);
      device.copy_to_host(got.data(), sums_of_sums.data(), 4 * n, stream);
      for (std::uint64_t i = 0; i < n; ++i) {
        ASSERT_EQ(got[i], static_cast<std::uint32_t>((i + 1) * (i + 2) / 2)) << i << " in round " << round;
      }
    }
  }
  device.destroy_stream(stream);
}

TEST(GpuDevice, LibraryCallsDeduceTypes) {
  Context context({.device = test::gpu_device(), .database = "none"});
  runtime::Device& device = runtime::engine_of(context).device();
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
