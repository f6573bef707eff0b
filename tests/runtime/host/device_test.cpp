#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "runtime/argument_bytes.hpp"
#include "runtime/host/host_kernel.hpp"
#include "runtime/host/interface.hpp"
#include "tests/runtime/host/kernels.hpp"

namespace upsweep::runtime::testing {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr const char* increment = R"(
KERNEL {
  const u64 i = u64(block_index()) * 32 + thread_index();
  if (i < n) out[i] = in[i] + initial + ADDED;
})";

std::string increment_by(int added) {
  return fmt::format("#define ADDED {}\n{}", added, increment);
}

constexpr Launch one_warp{.blocks = 1, .threads_per_block = 32, .shared_bytes = 0};

TEST(HostDeviceTest, SaysWhatItIs) {
  const HostDevice device;
  EXPECT_EQ(device.identity().name, "host");
  EXPECT_EQ(device.identity().compute_major, 0);
  EXPECT_EQ(device.identity().multiprocessors, 4);
  EXPECT_EQ(device.limits().multiprocessors, 4);
  EXPECT_EQ(device.limits().compute_capability, 90);  // so that every strategy can be executed
  EXPECT_EQ(device.limits().shared_bytes_per_block, 227 * 1024);
  EXPECT_GT(device.limits().memory_bytes, 0u);
  EXPECT_EQ(device.label(), "host");
  EXPECT_EQ(device.target(), Target::host);
  EXPECT_EQ(device.driver_version(), "");
}

TEST(HostDeviceTest, MemoryIsAlignedSpoiledCopiedAndFilled) {
  HostDevice device;
  Buffer a(device, 1001);
  Buffer b(device, 1001);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % 256, 0u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b.data()) % 256, 0u);
  std::vector<unsigned char> bytes(1001);
  device.copy_to_host(bytes.data(), a.data(), bytes.size(), nullptr);
  EXPECT_THAT(bytes, Each(0xa5));
  device.fill(a.data(), 7, 1001, nullptr);
  device.copy_on_device(b.data(), a.data(), 1001, nullptr);
  device.copy_to_host(bytes.data(), b.data(), bytes.size(), nullptr);
  EXPECT_THAT(bytes, Each(7));
  bytes.assign(bytes.size(), 9);
  device.copy_to_device(a.data(), bytes.data(), bytes.size(), nullptr);
  EXPECT_EQ(std::memcmp(a.data(), bytes.data(), bytes.size()), 0);
  void* const zeroed = device.allocate_zeroed(1001);
  EXPECT_EQ(std::vector<unsigned char>(1001), std::vector<unsigned char>(static_cast<unsigned char*>(zeroed),
                                                                         static_cast<unsigned char*>(zeroed) + 1001));
  device.release(zeroed);
  device.release(nullptr);
}

TEST(HostDeviceTest, TooMuchMemorySaysHowMuchIsFree) {
  DeviceLimits limits;
  limits.memory_bytes = 10'000;
  HostDevice device({}, limits);
  {
    const Buffer most(device, 9'000);
    EXPECT_THAT([&] { static_cast<void>(device.allocate(1'001)); },
                ThrowsMessage<DeviceError>(
                    AllOf(HasSubstr("cannot allocate 1001 bytes"), HasSubstr("1000 of 10000 bytes are free"))));
    const Buffer rest(device, 1'000);
  }
  const Buffer all(device, 10'000);  // freed memory counts again
  EXPECT_THROW(static_cast<void>(HostDevice().allocate(std::size_t{1} << 60)), DeviceError);
}

TEST(HostDeviceTest, StreamsAreNeverMistakenForAnother) {
  HostDevice device;
  const Stream first = device.create_stream();
  EXPECT_EQ(device.identify(first), device.identify(first));
  EXPECT_NE(device.identify(first), device.identify(nullptr));
  const Device::StreamIdentity before = device.identify(first);
  device.destroy_stream(first);
  const Stream second = device.create_stream();
  EXPECT_NE(device.identify(second), before);
  EXPECT_EQ(device.identify(second).capture, 0u);
  device.synchronize(second);
  device.synchronize(nullptr);
  device.destroy_stream(second);
}

TEST(HostDeviceTest, ElapsedTimeCoversTheWork) {
  HostDevice device;
  bool worked = false;
  const double elapsed = device.elapsed_us(nullptr, [&] {
    worked = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  });
  EXPECT_TRUE(worked);
  EXPECT_GE(elapsed, 2000.0);
}

TEST(HostDeviceTest, ReportsNoResources) {
  HostDevice device;
  HostCompiler compiler;
  const Source source = host_source(increment_by(0));
  const auto kernel = device.load(compiler.compile(source, "host").binary, source.entry, source.launch);
  const KernelResources resources = device.resources(*kernel, one_warp);
  EXPECT_EQ(resources.registers_per_thread, 0);
  EXPECT_EQ(resources.resident_blocks_per_multiprocessor, 1);
}

TEST(HostDeviceTest, LaunchesOutsideTheLimitsAreErrors) {
  Bench bench(increment_by(1));
  EXPECT_THAT(error_of(bench, {.blocks = 0, .threads_per_block = 32, .shared_bytes = 0}), HasSubstr("0 blocks"));
  EXPECT_THAT(error_of(bench, {.blocks = std::uint64_t{1} << 31, .threads_per_block = 32, .shared_bytes = 0}),
              HasSubstr("2147483648 blocks"));
  for (const int threads : {0, 1, 33, 1056, -32}) {
    EXPECT_THAT(error_of(bench, {.blocks = 1, .threads_per_block = threads, .shared_bytes = 0}),
                HasSubstr(fmt::format("{} threads per block", threads)));
  }
  EXPECT_THAT(error_of(bench, {.blocks = 1, .threads_per_block = 32, .shared_bytes = 227 * 1024 + 1}),
              HasSubstr("232449 bytes of shared memory"));
}

TEST(HostDeviceTest, AnotherDevicesKernelIsAnError) {
  struct Foreign : Kernel {
  } const foreign;
  HostDevice device;
  EXPECT_THROW(device.launch(foreign, one_warp, nullptr, nullptr), DeviceError);
}

TEST(HostDeviceTest, KernelsLoadedAtOnceDoNotMix) {
  const auto device = std::make_shared<HostDevice>();
  std::vector<Bench> benches;
  for (int added = 0; added < 8; ++added) benches.emplace_back(increment_by(added), device);
  benches.erase(benches.begin() + 2);
  benches.emplace_back(increment_by(100), device);  // may take over what was just unloaded
  const std::vector<std::uint32_t> expected{0, 1, 3, 4, 5, 6, 7, 100};
  for (std::size_t i = 0; i < benches.size(); ++i) {
    benches[i].in.assign(40, 1000);
    benches[i].out.assign(40, 0);
    benches[i].initial = 5;
    benches[i].run({.blocks = 2, .threads_per_block = 32, .shared_bytes = 0});
    EXPECT_THAT(benches[i].out, Each(1005 + expected[i]));
  }
}

TEST(HostDeviceTest, ThreadsLaunchAtOnce) {
  const auto device = std::make_shared<HostDevice>();
  device->set_schedule(HostSchedule::hostile(9));
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  const Source source = host_source(R"(
struct Shared { u32 item[256]; };
KERNEL {
  Shared& shared = static_shared<Shared>();
  shared.item[thread_index()] = in[block_index() * 256 + thread_index()];
  block_barrier();
  out[block_index() * 256 + thread_index()] = shared.item[thread_index() ^ 1] + warp_ballot(true);
})");
  HostCompiler compiler;
  const auto kernel = device->load(compiler.compile(source, "host").binary, source.entry, source.launch);
  for (std::uint32_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const Stream stream = t < 2 ? device->create_stream() : nullptr;
      std::vector<std::uint32_t> in(5 * 256), out(in.size());
      for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint32_t>(i) * 3 + t;
      const std::uint32_t* from = in.data();
      std::uint32_t* to = out.data();
      const std::uint32_t initial = 0;
      const ArgumentsRule rule = arguments_of(make_problem(Algorithm::reduce, plus, Type::u32, Type::u32));
      ArgumentBytes bytes(rule, {.arrays = {from, to}, .n = in.size(), .scalars = {&initial}}, nullptr);
      void* arguments[] = {bytes.data()};
      for (int repeat = 0; repeat < 20; ++repeat) {
        out.assign(out.size(), 0);
        device->launch(*kernel, {.blocks = 5, .threads_per_block = 256, .shared_bytes = 0}, arguments, stream);
        for (std::size_t i = 0; i < in.size(); ++i) wrong[t] += out[i] != in[i ^ 1] + 0xffffffffu ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(wrong, Each(0));
}

// ---- binaries

class HostBinaries : public ::testing::Test {
 protected:
  HostDevice device;
  Binary binary = HostCompiler().compile(host_source(increment_by(1)), "host").binary;

  void expect_refused(const Binary& damaged, const std::string& entry, const std::string& why) {
    EXPECT_THAT([&] { static_cast<void>(device.load(damaged, entry, {})); },
                ThrowsMessage<DeviceError>(HasSubstr(why)));
  }
};

TEST_F(HostBinaries, DamagedOnesAreRefused) {
  expect_refused({}, "upsweep_kernel", "damaged");
  expect_refused(Binary(5000), "upsweep_kernel", "damaged");
  expect_refused(Binary(binary.begin(), binary.begin() + static_cast<std::ptrdiff_t>(binary.size() / 2)),
                 "upsweep_kernel", "damaged");
  for (const std::size_t at : {std::size_t{0}, std::size_t{100}, binary.size() / 2, binary.size() - 1}) {
    Binary damaged = binary;
    damaged[at] ^= std::byte{1};
    expect_refused(damaged, "upsweep_kernel", "damaged");
  }
}

TEST_F(HostBinaries, WhatIsNoLibraryIsRefusedThoughSealed) {
  Binary text(100, std::byte{'x'});
  seal_host_binary(text);
  expect_refused(text, "upsweep_kernel", "cannot load");
}

TEST_F(HostBinaries, AMissingKernelIsNamed) {
  expect_refused(binary, "another_kernel", "no symbol another_kernel");
}

TEST_F(HostBinaries, AnotherInterfaceVersionIsRefused) {
  Source source = host_source(increment_by(1));
  const std::string version = fmt::format("host_interface_version = {}", host_interface_version);
  const std::size_t at = source.text.find(version);
  ASSERT_NE(at, std::string::npos);
  source.text.replace(at, version.size(), "host_interface_version = 1000");
  expect_refused(HostCompiler().compile(source, "host").binary, "upsweep_kernel", "version 1000");
}

TEST_F(HostBinaries, TheTableIsTheSameOnBothSides) {
  Source source = host_source(increment_by(1));
  source.text += fmt::format(
      "\nstatic_assert(sizeof(HostInterface) == {} && sizeof(HostPosition) == {});\n"
      "static_assert(__builtin_offsetof(HostInterface, position) == {} && __builtin_offsetof(HostInterface, "
      "shared_of_rank) == {});\n"
      "static_assert(u32(HostOrder::acquire_release) == {} && u32(HostShuffle::from) == {});\n",
      sizeof(HostInterface), sizeof(HostPosition), offsetof(HostInterface, position),
      offsetof(HostInterface, shared_of_rank), static_cast<int>(HostOrder::acquire_release),
      static_cast<int>(HostShuffle::from));
  EXPECT_NO_THROW(static_cast<void>(HostCompiler().compile(source, "host")));
}

}  // namespace
}  // namespace upsweep::runtime::testing
