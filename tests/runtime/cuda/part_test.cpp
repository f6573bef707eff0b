// Parts of a GPU as devices, over a stand-in for libcuda: their names, what is made, where work goes, and what is
// refused.
#include <gmock/gmock.h>
#include <upsweep/context.hpp>
#include <upsweep/error.hpp>

#include "runtime/cuda/gpu_name.hpp"
#include "tests/runtime/cuda/planned_call.hpp"
#include "tests/support/message_of.hpp"

namespace upsweep::runtime {
namespace {

using test::message_of;
using testing::AllOf;
using testing::HasSubstr;

#if CUDA_VERSION >= 13000
static_assert(sizeof(DeviceResource) == sizeof(CUdevResource));
static_assert(offsetof(DeviceResource, multiprocessors) == offsetof(CUdevResource, sm.smCount));
static_assert(offsetof(DeviceResource, least) == offsetof(CUdevResource, sm.minSmPartitionSize));
static_assert(offsetof(DeviceResource, step) == offsetof(CUdevResource, sm.smCoscheduledAlignment));
#endif

TEST(GpuName, IsReadWithItsPart) {
  EXPECT_EQ(gpu_named("cuda"), (GpuName{}));
  EXPECT_EQ(gpu_named("cuda:3"), (GpuName{.ordinal = 3, .part = std::nullopt}));
  EXPECT_EQ(gpu_named("cuda:0/16"), (GpuName{.ordinal = 0, .part = Part{16, 0}}));
  EXPECT_EQ(gpu_named("cuda:12/8#3"), (GpuName{.ordinal = 12, .part = Part{8, 3}}));
  EXPECT_EQ(gpu_named("cuda/24"), (GpuName{.ordinal = std::nullopt, .part = Part{24, 0}}));
  EXPECT_EQ(to_string(Part{16, 0}), "/16");
  EXPECT_EQ(to_string(Part{16, 2}), "/16#2");
  for (const char* other : {"", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:0x", "cudas", "opencl/16", "cuda:/16"}) {
    EXPECT_EQ(gpu_named(other), std::nullopt) << other;
  }
}

TEST(GpuName, OfNoPartIsRefused) {
  for (const char* wrong : {"cuda:0/", "cuda:0/x", "cuda:0/16x", "cuda:0/ 16", "cuda:0/-8", "cuda:0/16#", "cuda:0/16#x",
                            "cuda:0/16/8", "cuda/#1"}) {
    EXPECT_THAT(message_of<UsageError>([&] { (void)gpu_named(wrong); }),
                AllOf(HasSubstr(std::string("'") + wrong + "'"), HasSubstr("as in cuda:0/16")));
  }
  EXPECT_THAT(message_of<UsageError>([] { (void)gpu_named("cuda:0/0"); }), HasSubstr("has no multiprocessors"));
  for (const char* wrong : {"host/4", "auto/4"}) {
    EXPECT_THAT(message_of<UsageError>([&] { (void)gpu_named(wrong); }), HasSubstr("only GPUs have parts"));
  }
  EXPECT_EQ(gpu_named("cuda:0/99999999999")->part->multiprocessors, std::numeric_limits<int>::max());
}

class GpuPart : public PlannedCall {
 protected:
  void SetUp() override {}
  void TearDown() override {
    EXPECT_TRUE(cuda->parts.contexts.empty());
    test::FakeDevice::TearDown();
  }
  [[nodiscard]] std::string refusal(const Part& part) {
    const std::string message = message_of<UsageError>([&] { (void)CudaDevice::open(0, part); });
    EXPECT_EQ(cuda->retained[0], 0);
    return message;
  }
  [[nodiscard]] const FakeGreenContext& context_of(Stream stream) {
    return cuda->parts.contexts.at(cuda->parts.streams.at(stream.handle()));
  }
};

TEST_F(GpuPart, IsADeviceOfItsOwn) {
  const auto whole = CudaDevice::open(0), part = CudaDevice::open(0, {.multiprocessors = 16});
  EXPECT_EQ(part->label(), "cuda:0/16");
  DeviceIdentity identity = whole->identity();
  DeviceLimits limits = whole->limits();
  EXPECT_EQ(identity.multiprocessors, 132);
  identity.multiprocessors = limits.multiprocessors = 16;
  limits.blocks_per_cluster = 8;
  EXPECT_EQ(part->identity(), identity);
  EXPECT_EQ(part->limits(), limits);
  EXPECT_EQ(whole->default_stream(), Stream());
  EXPECT_EQ(part->multiprocessors_of(nullptr), 16);
}

TEST_F(GpuPart, OpensByName) {
  EXPECT_EQ(Context({.device = "cuda:1/24#2", .database = "none"}).device(), "cuda:1/24#2");
  stack()->push_back(primary(1));
  EXPECT_EQ(Context({.device = "cuda/8", .database = "none"}).device(), "cuda:1/8");
  stack()->clear();
  EXPECT_EQ(Context({.device = "cuda/8", .database = "none"}).device(), "cuda:0/8");
  EXPECT_THROW(Context({.device = "cuda:9/8", .database = "none"}), DeviceError);
  EXPECT_THROW(Context({.device = "host/8", .database = "none"}), UsageError);
}

TEST_F(GpuPart, WorkGoesToItsStreams) {
  const auto part = CudaDevice::open(0, {.multiprocessors = 16, .number = 3});
  const auto kernel = part->load(image("good kernel"), "kernel", {});
  int argument = 0;
  void* arguments[] = {&argument};
  const Stream own = part->create_stream();
  for (const Stream stream : {Stream(), Stream(CU_STREAM_LEGACY), own}) {
    part->launch(*kernel, {}, arguments, stream);
    const CUstream where = cuda->launches.back().stream;
    EXPECT_EQ(where, stream == own ? own.handle() : part->default_stream().handle());
    EXPECT_EQ(context_of(where).multiprocessors, 16u);
    EXPECT_EQ(context_of(where).number, 3u);
    part->synchronize(stream);
    EXPECT_EQ(cuda->synchronized.back(), where);
    EXPECT_EQ(part->identify(stream), part->identify(where));
    EXPECT_EQ(part->multiprocessors_of(stream), 16);
  }
  EXPECT_NE(part->identify(nullptr), part->identify(own));
  part->destroy_stream(own);
  part->destroy_stream(nullptr);  // not the part's own
  part->launch(*kernel, {}, arguments, nullptr);
}

TEST_F(GpuPart, AllRunsInThePrimaryContext) {
  CUcontext others = reinterpret_cast<CUcontext>(&cuda->primary[1]);
  stack()->push_back(others);
  {
    const auto part = CudaDevice::open(0, {.multiprocessors = 8});
    const auto kernel = part->load(image("good kernel"), "kernel", {});
    Buffer memory(*part, 64);
    int word = 0;
    part->copy_to_device(memory.data(), &word, 4, nullptr);
    part->release(part->allocate_zeroed(64));
    part->destroy_stream(part->create_stream());
    const auto recording = part->record(nullptr, [&] { part->fill(memory.data(), 0, 4, nullptr); });
    ASSERT_NE(recording, nullptr) << "the part's own stream can be captured";
    recording->replay(nullptr);
    EXPECT_EQ(cuda->replayed_in, std::vector{part->default_stream().handle()});
    EXPECT_GE(part->elapsed_us(nullptr, [] {}), 0.0);
  }
  for (const auto& [function, context] : cuda->calls) {
    if (function == "cuCtxGetDevice") continue;
    EXPECT_EQ(context, primary(0)) << function;
  }
  EXPECT_EQ(*stack(), std::vector{others});
}

TEST_F(GpuPart, TwoPartsShareNothingButTheIdentity) {
  const auto first = CudaDevice::open(0, {.multiprocessors = 64}),
             second = CudaDevice::open(0, {.multiprocessors = 64, .number = 1});
  EXPECT_EQ(first->identity(), second->identity());
  EXPECT_EQ(second->label(), "cuda:0/64#1");
  EXPECT_NE(first->default_stream(), second->default_stream());
  EXPECT_EQ(context_of(first->default_stream()).number, 0u);
  EXPECT_EQ(context_of(second->default_stream()).number, 1u);
  const auto third = [] { (void)CudaDevice::open(0, {.multiprocessors = 64, .number = 2}); };
  EXPECT_THAT(message_of<UsageError>(third),
              HasSubstr("cuda:0/64#2 does not exist: cuda:0 has 2 parts of 64 multiprocessors, "
                        "cuda:0/64#0 to cuda:0/64#1"));
}

TEST_F(GpuPart, SizesThatCannotBeHadAreRefusedWithTheirNeighbours) {
  EXPECT_THAT(refusal({20}), AllOf(HasSubstr("cuda:0/20 cannot be had: cuda:0 has 132 multiprocessors"),
                                   HasSubstr("8 to 128 in steps of 8; use cuda:0/16 or cuda:0/24")));
  EXPECT_THAT(refusal({1}), HasSubstr("use cuda:0/8"));
  for (const int large : {129, 132, 133, 1 << 30}) {
    EXPECT_THAT(refusal({large}), HasSubstr("use cuda:0/128, or cuda:0 for all 132"));
  }
  cuda->parts.most = 96;
  EXPECT_THAT(refusal({104}), HasSubstr("8 to 96 in steps of 8; use cuda:0/96, or cuda:0 for all 132"));
  cuda->parts.most = 0;
  EXPECT_THAT(refusal({8}), HasSubstr("the driver makes no parts of it: use all of cuda:0"));
}

TEST_F(GpuPart, SizesAreTheDrivers) {
  const auto whole = CudaDevice::open(0);
  EXPECT_EQ(whole->part_sizes(), (PartSizes{.all = 132, .least = 8, .step = 8, .most = 128}));
  cuda->parts = {.least = 3, .step = 2, .most = 70};
  EXPECT_EQ(whole->part_sizes(), (PartSizes{.all = 132, .least = 4, .step = 2, .most = 70}));
}

// Drivers for CUDA 12 round up without a word.
TEST_F(GpuPart, SizesAreTheDocumentationsWhereTheDriverDoesNotTell) {
  cuda->parts.tells_steps = false;
  EXPECT_THAT(refusal({12}), HasSubstr("use cuda:0/8 or cuda:0/16"));
  const auto whole = CudaDevice::open(0);
  EXPECT_EQ(whole->part_sizes(), (PartSizes{.all = 132, .least = 8, .step = 8, .most = 128}));
  cuda->parts.least = 4, cuda->parts.step = 2;
  cuda->attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR] = 8;
  EXPECT_EQ(whole->part_sizes(), (PartSizes{.all = 132, .least = 4, .step = 2, .most = 128}));
  cuda->parts.step = 4;  // a driver that rounds to more than its documentation says
  EXPECT_THAT(message_of<UsageError>([] { (void)CudaDevice::open(0, {.multiprocessors = 6}); }),
              HasSubstr("cuda:0/6 cannot be had"));
  cuda->parts.least = cuda->parts.step = 2;
  cuda->attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR] = 7;
  EXPECT_EQ(whole->part_sizes().least, 2);
}

TEST_F(GpuPart, NeedsADriverWithGreenContexts) {
  Driver old = driver();
  old.cuGreenCtxCreate = nullptr;
  const auto open = [&] { (void)CudaDevice(old, 0, 0, Part{16}); };
  EXPECT_THAT(message_of<DeviceError>(open),
              AllOf(HasSubstr("green contexts, which the driver does not have"), HasSubstr("cuda:0"),
                    HasSubstr("install a driver for CUDA 12.4 or newer")));
  EXPECT_EQ(cuda->retained[0], 0);
  for (const char* function : {"cuDeviceGetDevResource", "cuGreenCtxCreate", "cuGreenCtxStreamCreate"}) {
    cuda->failures = {{function, CUDA_ERROR_NOT_SUPPORTED}};
    EXPECT_THAT(message_of<DeviceError>([] { (void)CudaDevice::open(0, {.multiprocessors = 16}); }),
                HasSubstr("parts of cuda:0 need green contexts, which this GPU or its driver does not support"))
        << function;
    EXPECT_EQ(cuda->retained[0], 0) << function;
  }
  cuda->failures = {{"cuGreenCtxCreate", CUDA_ERROR_INVALID_VALUE}};
  EXPECT_THAT(message_of<DeviceError>([] { (void)CudaDevice::open(0, {.multiprocessors = 16}); }),
              HasSubstr("making a part of cuda:0 failed: CUDA_ERROR_FAKE"));
}

// A program may make a green context current and open "cuda".
TEST_F(GpuPart, IsTheCallersCurrentContext) {
  cuda->context_multiprocessors = 16;
  stack()->push_back(primary(0));
  const auto device = CudaDevice::open(0);
  EXPECT_EQ(device->label(), "cuda:0/16");
  EXPECT_EQ(device->identity().multiprocessors, 16);
  EXPECT_EQ(device->limits().multiprocessors, 16);
  EXPECT_EQ(device->default_stream(), Stream());
}

}  // namespace
}  // namespace upsweep::runtime
