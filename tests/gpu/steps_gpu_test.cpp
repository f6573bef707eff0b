// Plans of several steps: the schedule of two steps that the tests define, called and captured.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "tests/gpu/gpu.hpp"
#include "tests/support/defined_runs.hpp"
#include "tests/support/two_steps.hpp"

namespace upsweep {
namespace {

using test::Map;

// Calls of one plan, each with an array of its own: the next one begins where the one before may still run.
class StepsCalls {
 public:
  StepsCalls(const Plan& plan, std::uint64_t n, std::size_t calls)
      : plan_(plan), items_(test::items_of<Map>(plan.problem(), n, n)), in_(device_, n * sizeof(Map)) {
    device_.copy_to_device(in_.data(), items_.data(), n * sizeof(Map), nullptr);
    for (std::size_t i = 0; i < calls; ++i) out_.emplace_back(device_, n * sizeof(Map));
  }
  void run(Stream stream) const {
    for (const runtime::Buffer& out : out_) {
      plan_.run(in_.data(), out.data(), items_.size(), Map::scalar(initial_), stream);
    }
  }
  void clear(Stream stream) const {
    for (const runtime::Buffer& out : out_) device_.fill(out.data(), 0, out.bytes(), stream);
  }
  void expect_right(Stream stream) const {
    std::vector<Map> expected, got(items_.size());
    Map before = initial_;
    for (const Map item : items_) {
      expected.push_back(before);
      before = Map::combine(before, item);
    }
    for (const runtime::Buffer& out : out_) {
      device_.copy_to_host(got.data(), out.data(), out.bytes(), stream);
      EXPECT_TRUE(got == expected) << items_.size() << " items";
    }
  }

 private:
  runtime::Device& device_ = test::gpu_engine()->device();
  Plan plan_;
  Map initial_{3, 5};
  std::vector<Map> items_;
  runtime::Buffer in_;
  std::vector<runtime::Buffer> out_;
};

TEST(GpuSteps, SanitizeTwoStepsOfEachLaunch) {
  for (const bool dependent : {false, true}) {
    const Plan plan =
        test::gpu_engine()->plan(test::two_step_problem(1000), test::two_step_config(64, dependent), nullptr);
    for (const std::uint64_t n : {1, 63, 65, 1000}) {
      const StepsCalls calls(plan, n, 3);
      calls.run(nullptr);
      calls.expect_right(nullptr);
    }
  }
}

TEST(GpuSteps, ManyItemsOverlapAndAreReplayed) {
  const Plan plan =
      test::gpu_engine()->plan(test::two_step_problem(1 << 17), test::two_step_config(128, true), nullptr);
  const test::ScopedPrimaryContext context;
  const test::ScopedStream stream(test::gpu_engine()->device());
  const StepsCalls calls(plan, (1 << 17) + 5, 4);
  calls.run(stream.get());
  calls.expect_right(stream.get());
  plan.prepare((1 << 17) + 5, stream.get());
  const test::Executable executable(stream.get(), [&] { calls.run(stream.get()); });
  for (int replay = 0; replay < 3; ++replay) {
    calls.clear(stream.get());
    executable.launch(stream.get());
    calls.expect_right(stream.get());
  }
}

}  // namespace
}  // namespace upsweep
