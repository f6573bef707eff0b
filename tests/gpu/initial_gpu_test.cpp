// Initial values in device memory, which a kernel reads when it runs.
#include <vector>

#include <gtest/gtest.h>
#include <upsweep/error.hpp>

#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "tests/gpu/gpu.hpp"
#include "tests/support/cases.hpp"

namespace upsweep {
namespace {

using test::Executable;
using test::ScopedStream;

Problem sum(Algorithm algorithm, std::uint64_t n = 1 << 20) {
  return make_problem(algorithm, Operator::plus, Type::u32, Type::u32, n);
}

class GpuInitial : public testing::TestWithParam<Problem> {};

TEST_P(GpuInitial, SanitizeEverySchedule) {
  const auto& engine = test::gpu_engine();
  const Space space(GetParam(), engine->device().limits());
  for (const Schedule* schedule : space.schedules()) {
    const Config config = space.complete({std::string(schedule->name()), {}});
    if (!space.contains(config)) continue;
    const Plan plan = engine->plan(GetParam(), config, nullptr);
    const std::uint64_t tile = plan.source().launch.items_per_tile;
    for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, tile, 5 * tile + 7}) {
      EXPECT_EQ(test::run_and_compare(engine->device(), plan, n, test::Data::random, n, {.initial_in_memory = true}),
                std::nullopt);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, GpuInitial,
    testing::Values(make_problem(Algorithm::exclusive_scan, Operator::plus, Type::i32, Type::i32),
                    make_problem(Algorithm::exclusive_scan, Operator::maximum, Type::u8, Type::u8),
                    make_problem(Algorithm::exclusive_scan, Operator::affine, Type::u64, Type::u64),
                    make_problem(Algorithm::exclusive_scan, Operator::plus, Type::c128, Type::c128),
                    make_problem(Algorithm::reduce, Operator::plus, Type::f32, Type::c128),
                    make_problem(Algorithm::reduce, Operator::last_nonzero, Type::i16, Type::i16)),
    [](const auto& of) { return test::test_name(of.param); });

// Each call starts from what the call before it wrote, though its kernel may be started before that one has ended.
TEST(GpuInitialChain, ReadsWhatTheKernelBeforeItWrote) {
  const auto& engine = test::gpu_engine();
  runtime::Device& device = engine->device();
  constexpr std::uint64_t n = 3 << 10, calls = 2000;
  const Space space(sum(Algorithm::reduce, n), device.limits());
  for (const Schedule* schedule : space.schedules()) {
    const Plan plan =
        engine->plan(sum(Algorithm::reduce, n), space.complete({std::string(schedule->name()), {}}), nullptr);
    const ScopedStream scoped(device);
    const Stream stream = scoped.get();
    const runtime::Buffer in(device, 4 * n), total(device, 4);
    device.fill(in.data(), 1, 4 * n, stream);
    device.fill(total.data(), 0, 4, stream);
    for (std::uint64_t call = 0; call < calls; ++call) {
      plan.run(Arguments(n).array("in", in.data()).array("out", total.data()).scalar_in_memory("initial", total.data()),
               stream);
    }
    std::uint32_t got = 0;
    device.copy_to_host(&got, total.data(), 4, stream);
    EXPECT_EQ(got, static_cast<std::uint32_t>(0x01010101u * n * calls)) << schedule->name();
  }
}

TEST(GpuInitialChain, AReplayReadsTheValueOfItsTime) {
  const auto engine = runtime::Engine::open({.device = test::gpu_device(), .database = "none"});
  runtime::Device& device = engine->device();
  constexpr std::uint64_t n = 1000;
  const ScopedStream scoped(device);
  const Stream stream = scoped.get();
  const Plan plan = engine->plan(sum(Algorithm::exclusive_scan, n), stream);
  const runtime::Buffer in(device, 4 * n), out(device, 4 * n), initial(device, 4);
  const Arguments arguments =
      Arguments(n).array("in", in.data()).array("out", out.data()).scalar_in_memory("initial", initial.data());
  const test::ScopedPrimaryContext current;
  const Executable none(
      stream, [&] { EXPECT_THROW(plan.run(arguments, stream), DeviceError) << "its kernel is not compiled"; });
  plan.prepare(arguments, stream);
  const Executable executable(stream, [&] { plan.run(arguments, stream); });
  device.fill(in.data(), 0, 4 * n, stream);
  for (const std::uint8_t byte : {std::uint8_t{3}, std::uint8_t{9}}) {
    device.fill(initial.data(), byte, 4, stream);
    ASSERT_NO_FATAL_FAILURE(executable.launch(stream));
    std::vector<std::uint32_t> got(n);
    device.copy_to_host(got.data(), out.data(), 4 * n, stream);
    EXPECT_EQ(got, std::vector<std::uint32_t>(n, 0x01010101u * byte));
  }
}

}  // namespace
}  // namespace upsweep
