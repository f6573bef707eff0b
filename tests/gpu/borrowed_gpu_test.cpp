// Workspaces of the caller, cleared right before the calls that use them.
#include <vector>

#include <gtest/gtest.h>

#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "tests/gpu/job.hpp"

namespace upsweep {
namespace {

using test::Job;
using test::ScopedStream;

// One plan of each schedule that has a workspace, over and over: engine->plan() makes a new plan each time.
std::vector<Plan> first_plans(runtime::Engine& engine, std::size_t count, Stream stream) {
  std::vector<std::pair<Problem, Config>> choices;
  for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::reduce}) {
    const Problem problem = make_problem(algorithm, Operator::plus, Type::u32, Type::u32, 1 << 16);
    const Space space(problem, engine.device().limits());
    for (const Schedule* schedule : space.schedules()) {
      const Config config = space.complete({std::string(schedule->name()), {}});
      if (engine.plan(problem, config, stream).workspace_bytes(1 << 16) > 0) choices.emplace_back(problem, config);
    }
  }
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [problem, config] = choices[i % choices.size()];
    plans.push_back(engine.plan(problem, config, stream));
  }
  return plans;
}

// borrow_workspace() clears the memory by a memset in stream order, and the kernel behind it draws a ticket there
// before it waits for the kernel before it. That is safe because a kernel may start early only behind a kernel that
// asks for it, and a memset never asks. Here the memory is full of ones, and all is queued behind fills that take long.
TEST(GpuBorrowed, AWorkspaceIsClearBeforeTheFirstKernelStarts) {
  const auto engine = runtime::Engine::open(
      {.device = test::gpu_device(), .database = "none", .reproducible = false, .dependent_launch = true});
  runtime::Device& device = engine->device();
  const ScopedStream stream(device);
  constexpr std::size_t count = 100;
  const std::vector<Plan> plans = first_plans(*engine, count, stream.get());
  std::vector<Job> jobs;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < count; ++i) {
    jobs.emplace_back(device, plans[i], 60'000 + i, i);
    bytes = std::max(bytes, plans[i].workspace_bytes(jobs[i].items));
  }
  std::vector<runtime::Buffer> memories;  // each is used again and again
  for (int i = 0; i < 4; ++i) memories.emplace_back(device, bytes);
  const runtime::Buffer large(device, std::size_t{1} << 30);
  for (const runtime::Buffer& memory : memories) device.fill(memory.data(), 0xff, bytes, stream.get());
  for (int i = 0; i < 20; ++i) device.fill(large.data(), 1, large.bytes(), stream.get());
  for (std::size_t i = 0; i < count; ++i) {
    const Job& job = jobs[i];
    const BorrowedWorkspace workspace =
        plans[i].borrow_workspace(memories[i % memories.size()].data(), bytes, stream.get());
    plans[i].run(job.in.data(), job.out.data(), job.items, identity(job.problem.op, job.problem.accumulator),
                 stream.get(), workspace);
  }
  for (const Job& job : jobs) EXPECT_EQ(job.wrong(device, stream.get()), std::nullopt) << job.items;
}

}  // namespace
}  // namespace upsweep
