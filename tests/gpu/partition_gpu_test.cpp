// Green contexts, which have a part of the device's multiprocessors, and addresses that kernels cannot use.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <upsweep/error.hpp>

#include "generator/space.hpp"
#include "runtime/cuda/cuda_device.hpp"
#include "tests/gpu/green_stream.hpp"
#include "tests/gpu/job.hpp"
#include "tests/gpu/parts.hpp"
#include "tests/support/message_of.hpp"

namespace upsweep {
namespace {

using test::GreenStream;
using test::Job;

TEST(GpuPartition, CooperativeGridsFitAGreenContextAndAreCapturedInIt) {
  if (const std::string why = test::why_no_parts(); !why.empty()) GTEST_SKIP() << why;
  const auto& engine = test::gpu_engine();
  runtime::Device& device = engine->device();
  const test::ScopedPrimaryContext context;
  const GreenStream green(8);
  ASSERT_LT(green.multiprocessors(), device.limits().multiprocessors);
  EXPECT_EQ(device.multiprocessors_of(green.get()), green.multiprocessors());
  EXPECT_EQ(device.multiprocessors_of(nullptr), device.limits().multiprocessors);
  const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32, 1 << 24);
  const Config config = Space(problem, device.limits()).complete({"lookahead", {{"order", "strided"}}});
  const Plan plan = engine->plan(problem, config, green.get());
  const Job job(device, plan, (1 << 24) + 3, 1), captured(device, plan, (1 << 24) + 5, 2);
  for (int i = 0; i < 10; ++i) job.run(plan, green.get());
  EXPECT_EQ(job.wrong(device, green.get()), std::nullopt);

  const test::Executable executable(green.get(), [&] { captured.run(plan, green.get()); });
  ASSERT_NO_FATAL_FAILURE(executable.launch(green.get()));
  EXPECT_EQ(captured.wrong(device, green.get()), std::nullopt);
}

TEST(GpuPartition, ReproducibleScansRunInAGreenContext) {
  if (const std::string why = test::why_no_parts(); !why.empty()) GTEST_SKIP() << why;
  const auto engine = runtime::Engine::open({.device = test::gpu_device(), .database = "none", .reproducible = true});
  runtime::Device& device = engine->device();
  const test::ScopedPrimaryContext context;
  const GreenStream green(8);
  const std::uint64_t n = 3'000'017;
  const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::f32, Type::f32, n);
  const Plan plan = engine->plan(problem, green.get());
  EXPECT_EQ(plan.state().multiprocessors, green.multiprocessors());
  ASSERT_TRUE(plan.reproducible()) << plan.explain();
  std::vector<float> input(n), first(n), again(n);
  for (std::uint64_t i = 0; i < n; ++i) input[i] = 1.0f / static_cast<float>(1 + i * 7919 % 10007);
  runtime::Buffer in(device, n * 4), out(device, n * 4);
  device.copy_to_device(in.data(), input.data(), n * 4, green.get());
  for (int i = 0; i < 20; ++i) {
    plan.run(in.data(), out.data(), n, green.get());
    device.copy_to_host(i == 0 ? first.data() : again.data(), out.data(), n * 4, green.get());
    if (i > 0) {
      ASSERT_EQ(first, again) << "run " << i;
    }
  }
  double sum = 0;
  for (const float item : input) sum += item;
  EXPECT_NEAR(first.back(), sum, 1e-3 * sum);
}

// Calls there are planned for the partition, whatever they compute.
TEST(GpuPartition, CallsInAGreenContextAreRight) {
  if (const std::string why = test::why_no_parts(); !why.empty()) GTEST_SKIP() << why;
  const auto& engine = test::gpu_engine();
  const test::ScopedPrimaryContext context;
  const GreenStream green(8);
  for (const Problem& problem : test::problems_of_parts(3'000'017)) {
    const Plan plan = engine->plan(problem, green.get());
    EXPECT_EQ(plan.state().multiprocessors, green.multiprocessors());
    EXPECT_EQ(test::wrong_on_part(engine->device(), plan, 3'000'017, 1, green.get()), std::nullopt) << plan.explain();
  }
}

TEST(GpuAddresses, OfTheHostAreRefusedAndTheContextGoesOn) {
  const auto engine = runtime::Engine::open({.device = test::gpu_device(), .database = "none", .reproducible = false});
  runtime::Device& device = engine->device();
  const Problem problem = make_problem(Algorithm::reduce, Operator::plus, Type::i32, Type::i32, 1000);
  const Plan plan = engine->plan(problem, nullptr);
  const Job job(device, plan, 1000, 1);
  std::vector<int> host(1000);
  if (test::gpu_attribute(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS) == 0) {
    EXPECT_THROW(plan.run(host.data(), job.out.data(), 1000), UsageError);
    EXPECT_THROW(plan.run(job.in.data(), host.data(), 1000), UsageError);
  } else {
    EXPECT_NO_THROW(plan.run(host.data(), job.out.data(), 1000)) << "the device reads all memory of the host";
  }
  EXPECT_THROW(plan.run(nullptr, job.out.data(), 1000), UsageError);
  job.run(plan, nullptr);
  EXPECT_EQ(job.wrong(device, nullptr), std::nullopt);
}

// Memory that is not of cuMemAlloc.
TEST(GpuAddresses, OfPinnedManagedAndPooledMemoryAreTaken) {
  const auto engine = runtime::Engine::open({.device = test::gpu_device(), .database = "none", .reproducible = false});
  runtime::Device& device = engine->device();
  const runtime::Driver& driver = runtime::driver();
  const test::ScopedPrimaryContext context;
  const test::ScopedStream stream(device);
  const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32, 1000);
  const std::vector<std::byte> input = test::make_data(problem, 1000, test::Data::random, 1);
  const auto expect_taken = [&](void* memory) {
    device.copy_to_device(memory, input.data(), input.size(), stream.get());
    EXPECT_NO_THROW(device.check_pointer(memory, "in"));
    EXPECT_NO_THROW(device.check_pointer(static_cast<char*>(memory) + 2000, "in"));
    engine->plan(problem, stream.get()).run(memory, memory, 1000, stream.get());
    std::vector<std::byte> got(input.size());
    device.copy_to_host(got.data(), memory, got.size(), stream.get());
    EXPECT_EQ(test::difference(Type::i32, test::expected(problem, input, 1000, Scalar::of(0)), got), std::nullopt);
  };
  void* pinned = nullptr;
  ASSERT_EQ(driver.cuMemHostAlloc(&pinned, 4000, CU_MEMHOSTALLOC_DEVICEMAP), CUDA_SUCCESS);
  expect_taken(pinned);
  EXPECT_EQ(driver.cuMemFreeHost(pinned), CUDA_SUCCESS);
  CUdeviceptr managed = 0, pooled = 0;
  ASSERT_EQ(test::driver_symbol<CUresult (*)(CUdeviceptr*, std::size_t, unsigned)>("cuMemAllocManaged")(
                &managed, 4000, CU_MEM_ATTACH_GLOBAL),
            CUDA_SUCCESS);
  expect_taken(reinterpret_cast<void*>(managed));
  EXPECT_EQ(driver.cuMemFree_v2(managed), CUDA_SUCCESS);
  ASSERT_EQ(test::driver_symbol<CUresult (*)(CUdeviceptr*, std::size_t, CUstream)>("cuMemAllocAsync")(
                &pooled, 4000, stream.get().handle()),
            CUDA_SUCCESS);
  expect_taken(reinterpret_cast<void*>(pooled));
  EXPECT_EQ(driver.cuMemFree_v2(pooled), CUDA_SUCCESS);
}

// Two GPUs: memory of the other one is refused until access is allowed.
TEST(GpuAddresses, OfAnotherDeviceAreRefusedUntilAccessIsAllowed) {
  if (runtime::CudaDevice::count() < 2) GTEST_SKIP() << "one GPU";
  const auto engine = runtime::Engine::open({.device = "cuda:0", .database = "none", .reproducible = false});
  const auto other = runtime::Engine::open({.device = "cuda:1", .database = "none", .reproducible = false});
  const Problem problem = make_problem(Algorithm::reduce, Operator::plus, Type::i32, Type::i32, 1000);
  const Plan plan = engine->plan(problem, nullptr);
  const Job here(engine->device(), plan, 1000, 1), there(other->device(), plan, 1000, 1);
  EXPECT_THAT(test::message_of<UsageError>([&] { plan.run(there.in.data(), here.out.data(), 1000); }),
              testing::HasSubstr("memory of cuda:1, which cuda:0 cannot use"));
  here.run(plan, nullptr);
  EXPECT_EQ(here.wrong(engine->device(), nullptr), std::nullopt);
}

}  // namespace
}  // namespace upsweep
