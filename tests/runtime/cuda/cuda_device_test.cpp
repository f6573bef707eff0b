// The CUDA device over a stand-in for libcuda: what it asks of the driver, and what it makes of the answers.
#include <cstring>
#include <filesystem>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/cuda/fake_device.hpp"

namespace upsweep::runtime {
namespace {

using test::message_of;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

using CudaDeviceTest = test::OpenDevice;
using Identify = test::OpenDevice;

TEST_F(CudaDeviceTest, CountsAndOpensDevices) {
  EXPECT_EQ(CudaDevice::count(), 2);
  const auto device = CudaDevice::open(1);
  EXPECT_EQ(device->label(), "cuda:1");
  EXPECT_EQ(device->target(), Target::cuda);
  EXPECT_EQ(device->identity().name, "Other GPU");
}

TEST_F(CudaDeviceTest, UnknownDeviceIsAnErrorThatSaysHowManyThereAre) {
  for (const int ordinal : {2, -1, 1000}) {
    EXPECT_THAT(message_of<DeviceError>([&] { (void)CudaDevice::open(ordinal); }),
                AllOf(HasSubstr("cuda:" + std::to_string(ordinal)), HasSubstr("2 GPUs")));
  }
}

TEST_F(CudaDeviceTest, ReadsIdentityAndLimits) {
  // 1000 + the attribute's number in cuda.h.
  const DeviceIdentity identity{.name = "Fake GPU",
                                .compute_major = 9,
                                .compute_minor = 0,
                                .multiprocessors = 1016,
                                .memory_bus_bits = 1037,
                                .memory_clock_khz = 1036,
                                .ecc = true};
  EXPECT_EQ(device->identity(), identity);
  const DeviceLimits limits{.compute_capability = 90,
                            .multiprocessors = 1016,
                            .threads_per_block = 1001,
                            .threads_per_multiprocessor = 1039,
                            .blocks_per_multiprocessor = 1106,
                            .blocks_per_cluster = 16,
                            .registers_per_multiprocessor = 1082,
                            .shared_bytes_per_block = 1097,
                            .shared_bytes_per_multiprocessor = 1081,
                            .l2_bytes = 1038,
                            .memory_bytes = std::uint64_t{80} << 30,
                            .memory_gb_per_second = 0.268583};
  EXPECT_EQ(device->limits(), limits);
  EXPECT_FALSE(CudaDevice::open(1)->identity().ecc);
}

TEST_F(CudaDeviceTest, DriverVersionWithoutAKernelDriverIsTheApis) {
  if (std::filesystem::exists("/proc/driver/nvidia/version")) GTEST_SKIP() << "this machine has a kernel driver";
  EXPECT_EQ(CudaDevice::open(0)->driver_version(), "CUDA 13.0");
}

TEST_F(CudaDeviceTest, LoadsAKernelAndUnloadsIt) {
  {
    const auto kernel = load({.threads_per_block = 128});
    EXPECT_EQ(cuda->modules.size(), 1u);
    EXPECT_TRUE(cuda->function_attributes.empty());
  }
  EXPECT_TRUE(cuda->modules.empty());
}

TEST_F(CudaDeviceTest, AsksForDynamicSharedMemoryWhenLoading) {
  const auto kernel = load({.shared_bytes = 100'000});
  EXPECT_THAT(cuda->function_attributes, ElementsAre(Pair(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100'000)));
}

TEST_F(CudaDeviceTest, BadBinariesAreErrorsAndLeaveNothing) {
  EXPECT_THAT(message_of<DeviceError>([&] { (void)device->load(image("bad"), "kernel", {}); }), HasSubstr("loading"));
  EXPECT_THAT(message_of<DeviceError>([&] { (void)device->load(image("good kernel"), "another", {}); }),
              HasSubstr("another"));
  cuda->failures["cuFuncSetAttribute"] = CUDA_ERROR_INVALID_VALUE;
  EXPECT_THAT(message_of<DeviceError>([&] { (void)load({.shared_bytes = 7}); }), HasSubstr("7 bytes of shared memory"));
  EXPECT_TRUE(cuda->modules.empty());
}

TEST_F(CudaDeviceTest, AnErrorThatTheDriverDoesNotKnowHasItsNumber) {
  int number = 12345;
  cuda->failures["cuStreamCreate"] = static_cast<CUresult>(number);
  EXPECT_THAT(message_of<DeviceError>([&] { (void)device->create_stream(); }),
              HasSubstr("failed: CUDA error 12345 (not known to this driver)"));
}

TEST_F(CudaDeviceTest, ReadsAKernelsResources) {
  const auto kernel = load();
  const KernelResources found = device->resources(*kernel, {.threads_per_block = 256, .shared_bytes = 2000});
  EXPECT_EQ(found.static_shared_bytes, 101);  // 100 + the attribute's number in cuda.h
  EXPECT_EQ(found.local_bytes_per_thread, 103);
  EXPECT_EQ(found.registers_per_thread, 104);
  EXPECT_EQ(found.resident_blocks_per_multiprocessor, 7);
}

TEST_F(CudaDeviceTest, Launches) {
  const auto kernel = load();
  const Stream stream = device->create_stream();
  launch(*kernel, {.blocks = 0x7fffffff, .threads_per_block = 96, .shared_bytes = 12}, stream, 41);
  ASSERT_EQ(cuda->launches.size(), 1u);
  const FakeLaunch& seen = cuda->launches[0];
  EXPECT_THAT(seen.blocks, ElementsAre(0x7fffffffu, 1u, 1u));
  EXPECT_THAT(seen.threads, ElementsAre(96u, 1u, 1u));
  EXPECT_EQ(seen.shared_bytes, 12u);
  EXPECT_EQ(seen.stream, stream);
  EXPECT_EQ(seen.first_argument, 41);
  device->destroy_stream(stream);
}

TEST_F(CudaDeviceTest, MoreBlocksThanALaunchCanHaveIsAnError) {
  const auto kernel = load();
  for (const std::uint64_t blocks : {std::uint64_t{0x80000000}, std::uint64_t{1} << 32, (std::uint64_t{1} << 32) + 1}) {
    EXPECT_THAT(message_of<Error>([&] { launch(*kernel, {.blocks = blocks}); }), HasSubstr(std::to_string(blocks)));
  }
  EXPECT_TRUE(cuda->launches.empty());
}

TEST_F(CudaDeviceTest, NoMemoryIsAnErrorWithWhatWasAskedAndWhatIsFree) {
  EXPECT_THAT(message_of<DeviceError>([&] { (void)device->allocate(3'000'000'000); }),
              AllOf(HasSubstr("3000000000"), HasSubstr("1073741824"), HasSubstr("free")));
  EXPECT_THAT(message_of<DeviceError>([&] { (void)device->allocate_zeroed(3'000'000'000); }), HasSubstr("3000000000"));
}

TEST_F(CudaDeviceTest, AllocationOfNothingIsStillAPointer) {
  void* memory = device->allocate(0);
  EXPECT_NE(memory, nullptr);
  device->release(memory);
}

TEST_F(CudaDeviceTest, CopiesAndFills) {
  const Buffer one(*device, 8), two(*device, 8);
  char back[9] = {};
  device->copy_to_device(one.data(), "abcdefg", 8, nullptr);
  device->copy_on_device(two.data(), one.data(), 8, nullptr);
  device->fill(two.data(), 'x', 2, nullptr);
  device->copy_to_host(back, two.data(), 8, nullptr);
  EXPECT_STREQ(back, "xxcdefg");
}

TEST_F(CudaDeviceTest, CopiesWithTheHostAreDoneOnReturn) {
  const Stream stream = device->create_stream();
  const Buffer buffer(*device, 4);
  int value = 5;
  device->copy_to_device(buffer.data(), &value, 4, stream);
  EXPECT_THAT(cuda->synchronized, ElementsAre(stream.handle()));
  device->copy_to_host(&value, buffer.data(), 4, stream);
  EXPECT_EQ(cuda->synchronized.size(), 2u);
  device->copy_on_device(buffer.data(), buffer.data(), 4, stream);
  device->fill(buffer.data(), 0, 4, stream);
  EXPECT_EQ(cuda->synchronized.size(), 2u);
  device->destroy_stream(stream);
}

TEST_F(CudaDeviceTest, CopiesOfNothingTouchNothing) {
  device->copy_to_device(nullptr, nullptr, 0, nullptr);
  device->copy_to_host(nullptr, nullptr, 0, nullptr);
  device->copy_on_device(nullptr, nullptr, 0, nullptr);
  device->fill(nullptr, 1, 0, nullptr);
  EXPECT_TRUE(cuda->synchronized.empty());
}

TEST_F(CudaDeviceTest, AllocatesZeroedMemoryDuringACapture) {
  for (const bool capturing : {false, true}) {
    cuda->capturing_globally = capturing;
    auto* memory = static_cast<unsigned char*>(device->allocate_zeroed(100));
    EXPECT_EQ(std::count(memory, memory + 100, 0), 100);
    EXPECT_EQ(*mode(), CU_STREAM_CAPTURE_MODE_GLOBAL);
    cuda->capturing_globally = false;
    device->release(memory);
  }
  // Ready for every stream: it waited, and not on a stream that may be captured.
  ASSERT_FALSE(cuda->synchronized.empty());
  for (const CUstream stream : cuda->synchronized) EXPECT_GT(reinterpret_cast<std::uintptr_t>(stream), 2u);
}

TEST_F(CudaDeviceTest, AllocateZeroedFreesEverythingWhereItFails) {
  for (const char* function : {"cuMemAlloc_v2", "cuStreamCreate", "cuMemsetD8Async", "cuStreamSynchronize"}) {
    SCOPED_TRACE(function);
    cuda->failures = {{function, CUDA_ERROR_UNKNOWN}};
    EXPECT_THROW((void)device->allocate_zeroed(10), DeviceError);
    EXPECT_TRUE(cuda->memory.empty());
    EXPECT_TRUE(cuda->streams.empty());
    EXPECT_EQ(*mode(), CU_STREAM_CAPTURE_MODE_GLOBAL);
    cuda->failures.clear();
  }
}

TEST_F(CudaDeviceTest, MakesStreamsThatDoNotWaitForTheLegacyOne) {
  const Stream stream = device->create_stream();
  EXPECT_EQ(cuda->streams[stream.handle()], CU_STREAM_NON_BLOCKING);
  device->synchronize(stream);
  EXPECT_THAT(cuda->synchronized, ElementsAre(stream.handle()));
  device->destroy_stream(stream);
}

TEST_F(CudaDeviceTest, MeasuresMicroseconds) {
  int runs = 0;
  EXPECT_EQ(device->elapsed_us(nullptr, [&] { ++runs; }), 250.0);
  EXPECT_EQ(runs, 1);
  EXPECT_THROW((void)device->elapsed_us(nullptr, [] { throw std::runtime_error("work failed"); }), std::runtime_error);
  EXPECT_EQ(cuda->events.size(), 2u) << "used again";
}

TEST_F(CudaDeviceTest, MeasuresSeveralPiecesOfWorkAtOnce) {
  std::string order;
  const std::vector<std::function<void()>> works{[&] { order += 'a'; }, [&] { order += 'b'; }, [&] { order += 'c'; }};
  const auto time = [&] { return device->start_timing(nullptr, works)->finish(); };
  EXPECT_EQ(time(), (std::vector<double>{250, 250, 250}));
  EXPECT_EQ(order, "abc");
  EXPECT_EQ(cuda->events.size(), 4u);
  EXPECT_TRUE(device->start_timing(nullptr, {})->finish().empty());
  cuda->failures = {{"cuEventSynchronize", CUDA_ERROR_UNKNOWN}};
  EXPECT_NO_THROW((void)device->start_timing(nullptr, works)) << "one that nobody finishes is waited for";
  cuda->failures.clear();
  EXPECT_EQ(time().size(), 3u);
  EXPECT_EQ(cuda->events.size(), 4u);
  cuda->failures = {{"cuEventSynchronize", CUDA_ERROR_ILLEGAL_ADDRESS}};
  EXPECT_THROW((void)time(), DeviceRuined);
  cuda->failures = {{"cuEventRecord", CUDA_ERROR_UNKNOWN}};
  EXPECT_THROW((void)time(), DeviceError);
  cuda->failures.clear();
}

TEST_F(Identify, TellsStreamsApart) {
  const Stream one = device->create_stream();
  const Stream two = device->create_stream();
  EXPECT_EQ(device->identify(one), device->identify(one));
  EXPECT_NE(device->identify(one), device->identify(two));
  EXPECT_NE(device->identify(one), device->identify(nullptr));
  EXPECT_NE(device->identify(two), device->identify(CU_STREAM_PER_THREAD));
  EXPECT_EQ(device->identify(nullptr), device->identify(nullptr));
  EXPECT_EQ(device->identify(one).capture, 0u);
  device->destroy_stream(one);
  device->destroy_stream(two);
}

TEST_F(Identify, TellsAStreamFromALaterOneOfTheSameHandle) {
  const Stream stream = device->create_stream();
  cuda->ids[stream.handle()] = 17;
  const auto before = device->identify(stream);
  cuda->ids[stream.handle()] = 18;
  EXPECT_NE(device->identify(stream), before);
  device->destroy_stream(stream);
}

TEST_F(Identify, TellsThreadsApartOnThePerThreadStream) {
  const auto here = device->identify(CU_STREAM_PER_THREAD);
  EXPECT_EQ(device->identify(CU_STREAM_PER_THREAD), here);
  Device::StreamIdentity there, legacy_there;
  std::jthread([&] {
    there = device->identify(CU_STREAM_PER_THREAD);
    legacy_there = device->identify(nullptr);
  }).join();
  EXPECT_NE(there, here);
  EXPECT_EQ(legacy_there, device->identify(nullptr));
}

TEST_F(Identify, TellsCapturesApart) {
  const Stream stream = device->create_stream();
  const auto outside = device->identify(stream);
  cuda->captures[stream.handle()] = 5;
  const auto first = device->identify(stream);
  cuda->captures[stream.handle()] = 6;
  const auto second = device->identify(stream);
  EXPECT_EQ(first.capture, 5u);
  EXPECT_EQ(second.capture, 6u);
  EXPECT_NE(first, outside);
  cuda->invalidated.insert(stream.handle());
  EXPECT_EQ(device->identify(stream).capture, 0u);
  cuda->captures.clear();
  device->destroy_stream(stream);
}

TEST_F(Identify, LegacyStreamIsNotCapturedWhileAnotherIs) {
  const auto before = device->identify(nullptr);
  cuda->legacy_implicit = true;
  EXPECT_EQ(device->identify(nullptr), before);
}

TEST_F(Identify, UnknownStreamIsAnError) {
  EXPECT_THROW((void)device->identify(reinterpret_cast<CUstream>(0xbad0)), DeviceError);
}

TEST_F(CudaDeviceTest, ErrorsSayWhatFailedItsNameAndWhatToDo) {
  for (const CUresult result :
       {CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_MISALIGNED_ADDRESS, CUDA_ERROR_LAUNCH_FAILED,
        CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, CUDA_ERROR_NO_BINARY_FOR_GPU,
        CUDA_ERROR_INVALID_IMAGE, CUDA_ERROR_CONTEXT_IS_DESTROYED, CUDA_ERROR_INVALID_HANDLE, CUDA_ERROR_UNKNOWN}) {
    cuda->failures = {{"cuStreamSynchronize", result}};
    const std::string message = message_of<DeviceError>([&] { device->synchronize(nullptr); });
    EXPECT_THAT(message, AllOf(HasSubstr("waiting for a CUDA stream failed"), HasSubstr("CUDA_ERROR_"),
                               HasSubstr("a description"), testing::Not(HasSubstr("\n"))));
    EXPECT_GT(message.size(), message.rfind(": ") + 10) << "no advice: " << message;
  }
  cuda->failures = {{"cuStreamSynchronize", CUDA_ERROR_ILLEGAL_ADDRESS}};
  EXPECT_THAT(message_of<DeviceError>([&] { device->synchronize(nullptr); }),
              AllOf(HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"), HasSubstr("restart the process")));
  cuda->failures = {{"cuStreamSynchronize", CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED}};
  EXPECT_THAT(message_of<DeviceError>([&] { device->synchronize(nullptr); }), HasSubstr("prepare()"));
}

}  // namespace
}  // namespace upsweep::runtime
