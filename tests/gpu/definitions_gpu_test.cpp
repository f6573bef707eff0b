// Types and operators that tests define, by every schedule, and tuned by worker processes.
#include <filesystem>

#include <gtest/gtest.h>
#include <upsweep/tune.hpp>

#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "tests/gpu/gpu.hpp"
#include "tests/support/defined_runs.hpp"
#include "tuner/tune_engine.hpp"

namespace upsweep {
namespace {

template <typename T>
class GpuDefinitions : public testing::Test {};

using Defined = testing::Types<test::Map, test::Vector3, test::Color, test::Wide, test::Padded>;
TYPED_TEST_SUITE(GpuDefinitions, Defined);

constexpr std::array algorithms{Algorithm::inclusive_scan, Algorithm::exclusive_scan, Algorithm::reduce};

// Calls `check` with the plan of every schedule in its default config.
template <typename T, typename Check>
void with_every_schedule(std::uint64_t size, const Check& check) {
  runtime::Engine& engine = *test::gpu_engine();
  for (const Algorithm algorithm : algorithms) {
    const Problem problem = test::problem_of<T>(algorithm, size);
    const Space space(problem, engine.device().limits());
    for (const Schedule* const schedule : space.schedules()) {
      const Config config = space.complete({std::string(schedule->name()), {}});
      if (space.contains(config)) check(engine.plan(problem, config, nullptr));
    }
  }
}

TYPED_TEST(GpuDefinitions, SanitizeEverySchedule) {
  with_every_schedule<TypeParam>(1000, [](const Plan& plan) {
    const std::uint64_t tile = plan.source().launch.items_per_tile;
    for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, tile + 1, 5 * tile - 1}) {
      test::expect_right<TypeParam>(test::gpu_engine()->device(), plan, n, n % 2, false);
    }
  });
}

TYPED_TEST(GpuDefinitions, ManyItemsByEverySchedule) {
  with_every_schedule<TypeParam>(1 << 21, [](const Plan& plan) {
    test::expect_right<TypeParam>(test::gpu_engine()->device(), plan, (1 << 21) + 77, 0, false);
    test::expect_right<TypeParam>(test::gpu_engine()->device(), plan, (1 << 20) - 3, 1, false);
    if (plan.problem().algorithm != Algorithm::reduce) {
      test::expect_right<TypeParam>(test::gpu_engine()->device(), plan, 1'500'001, 1, true);
    }
  });
}

// By every schedule, small ones for compute-sanitizer.
template <typename T>
void reduce_by_key_by_every_schedule(std::initializer_list<std::uint64_t> sizes) {
  runtime::Engine& engine = *test::gpu_engine();
  for (const Type key : {Type::u8, Type::u32}) {
    const Problem problem = test::reduction_by_key_of<T>(key);
    const Space space(problem, engine.device().limits());
    for (const Schedule* const schedule : space.schedules()) {
      const Config config = space.complete({std::string(schedule->name()), {}});
      if (!space.contains(config)) continue;
      const Plan plan = engine.plan(problem, config, nullptr);
      for (const std::uint64_t n : sizes) {
        for (const test::Layout& layout : {test::Layout{}, {.in_place = true}, {.in_offset = 1, .out_offset = 3}}) {
          test::expect_reduced_by_key<T>(engine.device(), plan, n, 6, layout);
        }
      }
    }
  }
}

// All bytes are compared, so not Padded.
template <typename T>
class GpuDefinitionsByKey : public testing::Test {};
using DefinedValues = testing::Types<test::Map, test::Vector3, test::Color, test::Wide>;
TYPED_TEST_SUITE(GpuDefinitionsByKey, DefinedValues);

TYPED_TEST(GpuDefinitionsByKey, SanitizeEverySchedule) {
  reduce_by_key_by_every_schedule<TypeParam>({0, 1, 2001});
}

TYPED_TEST(GpuDefinitionsByKey, ManyItemsByEverySchedule) {
  reduce_by_key_by_every_schedule<TypeParam>({1'500'001});
}

TYPED_TEST(GpuDefinitions, AreTunedByWorkers) {
  const std::filesystem::path database =
      std::filesystem::temp_directory_path() / ("upsweep-defined-" + entry_of(TypeParam::type()).name + ".db");
  std::filesystem::remove(database);
  const auto engine =
      runtime::Engine::open({.device = test::gpu_device(), .database = database.string(), .record_wanted = false});
  TuneOptions options;
  options.sizes = {1 << 20};
  options.isolation = Isolation::worker;
  options.worker = UPSWEEP_WORKER_COMMAND;
  if (const char* const worker = std::getenv("UPSWEEP_WORKER")) options.worker = worker;
  options.maximum_trials = 12;
  const Problem problem = test::problem_of<TypeParam>(Algorithm::inclusive_scan, 1 << 20);
  const TuneReport report = tuner::tune(*engine, problem, options);
  ASSERT_EQ(report.sizes.size(), 1u);
  EXPECT_EQ(report.sizes[0].failures, 0);
  EXPECT_EQ(engine->plan(problem, nullptr).rung(), "exact");
  std::filesystem::remove(database);
}

}  // namespace
}  // namespace upsweep
