// Streams, graphs, threads and contexts.
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <upsweep/error.hpp>

#include "generator/space.hpp"
#include "runtime/context_engine.hpp"
#include "tests/gpu/job.hpp"
#include "tests/support/message_of.hpp"

namespace upsweep {
namespace {

using test::Graphs;
using test::Job;
using test::ScopedStream;

CUstream raw(const ScopedStream& stream) {
  return stream.get().handle();
}

Problem sum(Algorithm algorithm, Type type = Type::i32, std::uint64_t size = 1 << 22) {
  return make_problem(algorithm, Operator::plus, type, type, size);
}

TEST(GpuStreams, GraphReplaysAHundredTimes) {
  runtime::Device& device = test::gpu_engine()->device();
  const test::ScopedPrimaryContext context;
  const ScopedStream stream(device);
  std::vector<Plan> plans{test::gpu_engine()->plan(sum(Algorithm::inclusive_scan), stream.get()),
                          test::gpu_engine()->plan(sum(Algorithm::exclusive_scan, Type::i64), stream.get()),
                          test::gpu_engine()->plan(sum(Algorithm::reduce), stream.get())};
  std::vector<Job> runs;
  for (const Plan& plan : plans) runs.emplace_back(device, plan, 1'234'567, 9);

  const test::Executable executable(stream.get(), [&] {
    for (std::size_t i = 0; i < plans.size(); ++i) runs[i].run(plans[i], stream.get());
  });
  // Plain calls on the captured stream go on at the same time as the replays on another.
  const ScopedStream other(device);
  Job beside(device, plans[0], 3'000'001, 10);
  for (int replay = 0; replay < 100; ++replay) {
    for (const Job& run : runs) device.fill(run.out.data(), 0xee, run.out.bytes(), other.get());
    ASSERT_NO_FATAL_FAILURE(executable.launch(other.get()));
    plans[0].run(beside.in.data(), beside.out.data(), beside.items, stream.get());
    if (replay % 20 != 0 && replay != 99) continue;
    for (const Job& run : runs) ASSERT_EQ(run.wrong(device, other.get()), std::nullopt) << "replay " << replay;
    ASSERT_EQ(beside.wrong(device, stream.get()), std::nullopt) << "replay " << replay;
  }
}

TEST(GpuStreams, CompilingDuringCaptureNamesPrepare) {
  const auto engine = runtime::Engine::open({.device = test::gpu_device(), .database = "none", .reproducible = false});
  const Graphs graphs;
  const ScopedStream stream(engine->device());
  ASSERT_EQ(graphs.begin(raw(stream), CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_SUCCESS);
  const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::bit_xor, Type::u16, Type::u16);
  EXPECT_THAT(test::message_of<DeviceError>([&] { (void)engine->plan(problem, stream.get()); }),
              testing::HasSubstr("prepare()"));
  CUgraph graph = nullptr;
  EXPECT_EQ(graphs.end(raw(stream), &graph), CUDA_SUCCESS) << "the capture was spoilt";
}

TEST(GpuStreams, TwoStreamsAtOnce) {
  const auto& engine = test::gpu_engine();
  runtime::Device& device = engine->device();
  const ScopedStream first(device), second(device);
  const Plan plan = engine->plan(sum(Algorithm::inclusive_scan, Type::i64), nullptr);
  Job a(device, plan, 20'000'003, 1), b(device, plan, 19'999'999, 2);
  for (int i = 0; i < 50; ++i) {
    plan.run(a.in.data(), a.out.data(), a.items, first.get());
    plan.run(b.in.data(), b.out.data(), b.items, second.get());
  }
  EXPECT_EQ(a.wrong(device, first.get()), std::nullopt);
  EXPECT_EQ(b.wrong(device, second.get()), std::nullopt);
}

// What `run` says is wrong in each of some threads.
std::vector<std::optional<std::string>> in_threads(std::size_t count,
                                                   const std::function<std::optional<std::string>(std::size_t)>& run) {
  std::vector<std::optional<std::string>> wrong(count);
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < count; ++t) threads.emplace_back([&, t] { wrong[t] = run(t); });
  threads.clear();
  return wrong;
}

TEST(GpuStreams, ThreadsShareAContext) {
  Context context({.device = test::gpu_device(), .database = "none", .reproducible = false});
  EXPECT_THAT(in_threads(8,
                         [&](std::size_t t) {
                           runtime::Device& device = runtime::engine_of(context).device();
                           const ScopedStream stream(device);
                           const Plan plan = context.plan(sum(Algorithm::inclusive_scan, Type::f64), stream.get());
                           const Job run(device, plan, 777'777 + t, t);
                           for (int i = 0; i < 20; ++i) run.run(plan, stream.get());
                           return run.wrong(device, stream.get());
                         }),
              testing::Each(std::nullopt));
}

TEST(GpuStreams, PerThreadDefaultStream) {
  const auto& engine = test::gpu_engine();
  EXPECT_THAT(in_threads(4,
                         [&](std::size_t t) {
                           const Plan plan = engine->plan(sum(Algorithm::inclusive_scan), CU_STREAM_PER_THREAD);
                           const Job run(engine->device(), plan, 5'000'000 + t, t);
                           for (int i = 0; i < 50; ++i) run.run(plan, CU_STREAM_PER_THREAD);
                           return run.wrong(engine->device(), CU_STREAM_PER_THREAD);
                         }),
              testing::Each(std::nullopt));
}

TEST(GpuStreams, CurrentContextIsRestored) {
  const runtime::Driver& driver = runtime::driver();
  CUcontext before = nullptr, after = nullptr;
  ASSERT_EQ(driver.cuCtxGetCurrent(&before), CUDA_SUCCESS);
  const Plan plan = test::gpu_engine()->plan(sum(Algorithm::reduce), nullptr);
  Job run(test::gpu_engine()->device(), plan, 1000, 1);
  plan.run(run.in.data(), run.out.data(), run.items);
  ASSERT_EQ(driver.cuCtxGetCurrent(&after), CUDA_SUCCESS);
  EXPECT_EQ(before, after);
}

// A stream that is made right after another was destroyed, whose work still runs, may get its handle: not its
// workspace.
TEST(GpuStreams, MadeAndDestroyedInARow) {
  const auto& engine = test::gpu_engine();
  runtime::Device& device = engine->device();
  const Plan plan = engine->plan(sum(Algorithm::inclusive_scan, Type::i64), nullptr);
  const ScopedStream waiting(device);
  std::vector<Job> runs;
  for (std::uint64_t i = 0; i < 20; ++i) runs.emplace_back(device, plan, 5'000'000 + i, i);
  for (int lap = 0; lap < 10; ++lap) {
    for (Job& run : runs) {
      const ScopedStream stream(device);
      plan.run(run.in.data(), run.out.data(), run.items, stream.get());
    }
  }
  const test::ScopedPrimaryContext context;
  ASSERT_EQ(test::driver_symbol<CUresult (*)()>("cuCtxSynchronize")(), CUDA_SUCCESS);
  for (const Job& run : runs) EXPECT_EQ(run.wrong(device, waiting.get()), std::nullopt) << run.items;
}

// The workspace of a stream grows while calls are in flight.
TEST(GpuStreams, WorkspaceGrowsUnderCallsInFlight) {
  const auto& engine = test::gpu_engine();
  runtime::Device& device = engine->device();
  const ScopedStream stream(device);
  Config config = Space(sum(Algorithm::inclusive_scan), device.limits()).complete({"lookback", {}});
  config.values["threads_per_block"] = 64;
  config.values["items_per_thread"] = 4;
  const Plan plan = engine->plan(sum(Algorithm::inclusive_scan), config, stream.get());
  std::vector<Job> runs;
  for (std::uint64_t n = 10'000; n < 40'000'000; n *= 4) runs.emplace_back(device, plan, n + 1, n);
  for (const Job& run : runs) plan.run(run.in.data(), const_cast<void*>(run.out.data()), run.items, stream.get());
  for (const Job& run : runs) EXPECT_EQ(run.wrong(device, stream.get()), std::nullopt) << run.items;
}

// Reproducible configs of floating sums whose rounding depends on the order give the same bits every time, under load.
TEST(GpuStreams, ReproducibleUnderLoad) {
  const auto engine = runtime::Engine::open({.device = test::gpu_device(), .database = "none", .reproducible = true});
  runtime::Device& device = engine->device();
  const ScopedStream stream(device), load(device);
  for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::reduce}) {
    const std::uint64_t n = 3'000'017;
    Problem problem = sum(algorithm, Type::f32, n);
    const Plan plan = engine->plan(problem, stream.get());
    ASSERT_TRUE(plan.reproducible()) << plan.explain();
    std::vector<float> input(n);
    for (std::uint64_t i = 0; i < n; ++i) input[i] = 1.0f / static_cast<float>(1 + i * 7919 % 10007);
    runtime::Buffer in(device, n * 4), out(device, n * 4), noise(device, n * 4);
    device.copy_to_device(in.data(), input.data(), n * 4, stream.get());
    const std::size_t bytes = algorithm == Algorithm::reduce ? 4 : n * 4;
    std::vector<std::byte> first(bytes), again(bytes);
    for (int i = 0; i < 100; ++i) {
      plan.run(in.data(), noise.data(), n, load.get());
      plan.run(in.data(), out.data(), n, stream.get());
      device.copy_to_host(i == 0 ? first.data() : again.data(), out.data(), bytes, stream.get());
      if (i > 0) {
        ASSERT_EQ(first, again) << "run " << i;
      }
    }
    device.synchronize(load.get());
  }
}

}  // namespace
}  // namespace upsweep
