// Parts of a GPU as devices ("cuda:0/16"): where their kernels run, that results are right, and two parts at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <upsweep/error.hpp>

#include <set>
#include <thread>

#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "runtime/context_engine.hpp"
#include "tests/gpu/parts.hpp"
#include "tests/support/message_of.hpp"

namespace upsweep {
namespace {

using runtime::CudaDevice;
using runtime::Engine;

// Says of each block on which multiprocessor it ran, and keeps it long enough for all to be used.
constexpr const char* multiprocessor_source = R"(
extern "C" __global__ void where(unsigned* out) {
  unsigned multiprocessor;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
  for (int i = 0; i < 100; ++i) __nanosleep(1000);
  out[blockIdx.x] = multiprocessor;
}
)";

class GpuPart : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = test::why_no_parts(); !why.empty()) GTEST_SKIP() << why;
    sizes_ = CudaDevice::open(0)->part_sizes();
    size_ = std::min(2 * sizes_.least, sizes_.most);
  }
  [[nodiscard]] std::string name(int number = 0) const {
    return "cuda:0" + to_string(runtime::Part{.multiprocessors = size_, .number = number});
  }
  [[nodiscard]] std::shared_ptr<Engine> open(int number = 0, bool reproducible = false) const {
    return Engine::open({.device = name(number), .database = "none", .reproducible = reproducible});
  }
  // The multiprocessors that blocks ran on which were given to the stream.
  [[nodiscard]] static std::set<unsigned> where(Engine& engine, Stream stream) {
    constexpr std::size_t blocks = 4096;
    runtime::Device& device = engine.device();
    const runtime::Compiled compiled = engine.compiler().compile(
        {.text = multiprocessor_source, .entry = "where", .key = "where", .launch = {}, .workspace = {}},
        architecture_of(device.identity()));
    const auto kernel = device.load(compiled.binary, "where", {.threads_per_block = 32});
    const runtime::Buffer memory(device, blocks * sizeof(unsigned));
    void* address = memory.data();
    void* arguments[] = {&address};
    device.launch(*kernel, {.blocks = blocks, .threads_per_block = 32}, arguments, stream);
    std::vector<unsigned> found(blocks);
    device.copy_to_host(found.data(), memory.data(), memory.bytes(), stream);
    return {found.begin(), found.end()};
  }

  runtime::PartSizes sizes_;
  int size_ = 0;
};

TEST_F(GpuPart, ReportsItself) {
  const auto whole = CudaDevice::open(0);
  EXPECT_GE(sizes_.least, 1);
  EXPECT_GE(sizes_.most, sizes_.least);
  EXPECT_LE(sizes_.most, whole->identity().multiprocessors);
  for (const int size : {sizes_.least, size_, sizes_.most}) {
    const auto part = CudaDevice::open(0, {.multiprocessors = size});
    EXPECT_EQ(part->identity().multiprocessors, size);
    EXPECT_EQ(part->multiprocessors_of(nullptr), size);
    const test::ScopedStream stream(*part);
    EXPECT_EQ(part->multiprocessors_of(stream.get()), size) << "as the driver has it";
  }
  EXPECT_THAT(test::message_of<UsageError>(
                  [&] { (void)CudaDevice::open(0, {.multiprocessors = whole->identity().multiprocessors + 1}); }),
              testing::HasSubstr("cannot be had"));
}

TEST_F(GpuPart, KernelsRunOnItsMultiprocessorsAlone) {
  const auto engine = open();
  const test::ScopedStream stream(engine->device());
  const std::set<unsigned> by_default = where(*engine, nullptr), in_stream = where(*engine, stream.get());
  EXPECT_EQ(by_default.size(), static_cast<std::size_t>(size_));
  EXPECT_EQ(in_stream, by_default);
  EXPECT_EQ(where(*open(), nullptr), by_default) << "of one name, always the same ones";
  if (sizes_.all < 2 * size_) return;
  for (const unsigned other : where(*open(1), nullptr)) EXPECT_EQ(by_default.count(other), 0u) << other;
}

TEST_F(GpuPart, ResultsAreRight) {
  const auto engine = open();
  const test::ScopedStream stream(engine->device());
  for (const std::uint64_t n : {1u, 1000u, 100'003u, 9'000'011u}) {
    for (const Problem& problem : test::problems_of_parts(n)) {
      const Plan plan = engine->plan(problem, nullptr);
      EXPECT_EQ(plan.state().multiprocessors, size_);
      EXPECT_EQ(test::wrong_on_part(engine->device(), plan, n, n, nullptr), std::nullopt) << plan.explain();
      EXPECT_EQ(test::wrong_on_part(engine->device(), plan, n, n + 1, stream.get()), std::nullopt) << plan.explain();
    }
  }
}

// Every schedule's default config: cooperative launches, clusters, rings of stages.
TEST_F(GpuPart, EverySchedulesDefaultIsRight) {
  const auto engine = open();
  for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::reduce}) {
    const std::uint64_t n = 1'000'003;
    const Problem problem = make_problem(algorithm, plus, Type::i32, Type::i32, n);
    const Space space(problem, engine->device().limits());
    for (const Schedule* schedule : space.schedules()) {
      for (const char* order : {"ticket", "strided"}) {
        Config config = space.complete({std::string(schedule->name()), {}});
        if (config.values.count("order") == 0 && std::string(order) == "strided") continue;
        if (config.values.count("order") != 0) config.values["order"] = order;
        if (!space.contains(config)) continue;
        const Plan plan = engine->plan(problem, config, nullptr);
        EXPECT_EQ(test::wrong_on_part(engine->device(), plan, n, 1, nullptr), std::nullopt) << to_json(config);
      }
    }
  }
}

TEST_F(GpuPart, ReproducibleScansGiveTheSameBits) {
  const auto engine = open(0, true);
  runtime::Device& device = engine->device();
  const std::uint64_t n = 12'000'017;
  const Plan plan = engine->plan(make_problem(Algorithm::inclusive_scan, plus, Type::f32, Type::f32, n), nullptr);
  ASSERT_TRUE(plan.reproducible()) << plan.explain();
  std::vector<float> input(n), first(n), again(n);
  for (std::uint64_t i = 0; i < n; ++i) input[i] = 1.0f / static_cast<float>(1 + i * 7919 % 10007);
  const runtime::Buffer in(device, n * 4), out(device, n * 4);
  device.copy_to_device(in.data(), input.data(), n * 4, nullptr);
  for (int i = 0; i < 20; ++i) {
    plan.run(in.data(), out.data(), n);
    device.copy_to_host(i == 0 ? first.data() : again.data(), out.data(), n * 4, nullptr);
    if (i > 0) {
      ASSERT_EQ(first, again) << "run " << i;
    }
  }
  double sum = 0;
  for (const float item : input) sum += item;
  EXPECT_NEAR(first.back(), sum, 1e-3 * sum);
}

// From two threads, each with a part of its own, while all of the GPU is used besides.
TEST_F(GpuPart, TwoPartsAndAllOfTheGpuComputeAtOnce) {
  if (sizes_.all < 2 * size_) GTEST_SKIP() << "the GPU has one part of " << size_ << " multiprocessors";
  const std::vector<std::shared_ptr<Engine>> engines{
      open(0), open(1), Engine::open({.device = "cuda:0", .database = "none", .reproducible = false})};
  std::vector<std::string> wrong(engines.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < engines.size(); ++t) {
      threads.emplace_back([&, t] {
        const std::uint64_t n = 2'000'003 + t;
        for (int round = 0; round < 5; ++round) {
          for (const Problem& problem : test::problems_of_parts(n)) {
            const Plan plan = engines[t]->plan(problem, nullptr);
            const auto found = test::wrong_on_part(engines[t]->device(), plan, n, 10 * t + round, nullptr);
            if (found) wrong[t] += *found + "\n";
          }
        }
      });
    }
  }
  EXPECT_THAT(wrong, testing::Each(""));
}

TEST_F(GpuPart, CallsAreCapturedAndReplayed) {
  const auto engine = open();
  runtime::Device& device = engine->device();
  const test::ScopedPrimaryContext context;
  const std::uint64_t n = 3'000'017;
  const Plan plan = engine->plan(make_problem(Algorithm::inclusive_scan, plus, Type::u32, Type::u32, n), nullptr);
  const Stream stream = device.default_stream();
  plan.prepare(n, stream);
  const std::vector<std::uint32_t> ones(n, 1);
  std::vector<std::uint32_t> got(n);
  const runtime::Buffer in(device, 4 * n), out(device, 4 * n);
  device.copy_to_device(in.data(), ones.data(), 4 * n, nullptr);
  const test::Executable executable(stream, [&] { plan.run(in.data(), out.data(), n, stream); });
  for (int round = 0; round < 3; ++round) {
    device.fill(out.data(), 0, 4 * n, nullptr);
    ASSERT_NO_FATAL_FAILURE(executable.launch(stream));
    device.copy_to_host(got.data(), out.data(), 4 * n, nullptr);
    EXPECT_EQ(got.front(), 1u);
    EXPECT_EQ(got.back(), n);
  }
}

// A part is opened and closed many times, with streams and kernels: nothing is left behind.
TEST_F(GpuPart, OpensAgainAndAgain) {
  for (int i = 0; i < 50; ++i) {
    Context context({.device = name(i % 2 == 0 || sizes_.all < 2 * size_ ? 0 : 1), .database = "none"});
    runtime::Device& device = runtime::engine_of(context).device();
    const test::ScopedStream stream(device);
    const std::vector<int> ones(1000, 1);
    const runtime::Buffer in(device, 4000), sum(device, 4);
    device.copy_to_device(in.data(), ones.data(), 4000, stream.get());
    int got = 0;
    context.reduce(static_cast<const int*>(in.data()), static_cast<int*>(sum.data()), 1000, plus, stream.get());
    device.copy_to_host(&got, sum.data(), 4, stream.get());
    ASSERT_EQ(got, 1000) << i;
  }
}

}  // namespace
}  // namespace upsweep
