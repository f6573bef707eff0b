// What a planned call costs the host: driver calls and allocations, counted over a stand-in for libcuda. In a program
// of its own, because counting replaces operator new.
#include <array>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/cuda/planned_call.hpp"
#include "tests/support/two_steps.hpp"

namespace upsweep::runtime {
namespace {

// The context (twice), whether the stream is captured, its id, and the launch.
constexpr std::uint64_t most_driver_calls = 5;

TEST_F(PlannedCall, CountersCount) {
  const Cost before{cuda->entered, test::allocations()};
  (void)std::make_unique<std::array<int, 1000>>();
  engine_->device().synchronize(stream_);
  EXPECT_GT(cuda->entered, before.driver_calls);
  EXPECT_GT(test::allocations(), before.allocations);
}

TEST_F(PlannedCall, AllocatesNothingAndAsksTheDriverLittle) {
  stack()->push_back(primary(0));
  for (const char* schedule : {"lookback", "chained"}) {
    SCOPED_TRACE(schedule);
    const Plan planned = plan(schedule);
    ASSERT_FALSE(planned.source().workspace.layout.empty());
    const Cost found = cost(planned, stream_);
    EXPECT_EQ(found.allocations, 0u);
    EXPECT_LE(found.driver_calls, most_driver_calls);
  }
}

// A call of two steps, one of which has a state and both of which have scratch.
TEST_F(PlannedCall, OfTwoStepsCostsOneMoreLaunchAndAllocatesNothing) {
  stack()->push_back(primary(0));
  const Problem problem = upsweep::test::two_step_problem(1000);
  const Plan planned = engine_->plan(problem, upsweep::test::two_step_config(64, true), stream_);
  const Cost found = cost(planned, stream_);
  EXPECT_EQ(found.allocations, 0u);
  EXPECT_LE(found.driver_calls, most_driver_calls + 2);
  const std::size_t before = cuda->launches.size();
  planned.run(in_, out_, 1000, stream_);
  ASSERT_EQ(cuda->launches.size(), before + 2);
  for (const std::size_t step : {before, before + 1}) EXPECT_TRUE(cuda->launches[step].dependent);
}

TEST_F(PlannedCall, WithoutAWorkspaceAsksTheStreamNothing) {
  stack()->push_back(primary(0));
  const Plan planned = plan("single_block");
  ASSERT_TRUE(planned.source().workspace.layout.empty());
  const Cost found = cost(planned, stream_);
  EXPECT_EQ(found.allocations, 0u);
  EXPECT_EQ(found.driver_calls, 2u) << "the context and the launch";
}

TEST_F(PlannedCall, OnTheLegacyStreamAsksTheStreamNothing) {
  stack()->push_back(primary(0));
  const Cost found = cost(plan("lookback"), nullptr);
  EXPECT_EQ(found.allocations, 0u);
  EXPECT_EQ(found.driver_calls, 2u) << "the context and the launch";
}

TEST_F(PlannedCall, OfThePerThreadStreamIsNoDearer) {
  stack()->push_back(primary(0));
  EXPECT_LE(cost(plan("lookback"), CU_STREAM_PER_THREAD).driver_calls, most_driver_calls);
}

TEST_F(PlannedCall, FromAThreadWithoutAContextAllocatesNothingEither) {
  const Plan planned = plan("lookback");
  const Cost found = cost(planned, stream_);
  EXPECT_EQ(found.allocations, 0u);
  EXPECT_LE(found.driver_calls, most_driver_calls + 4) << "each of the two looks at the context pushes and pops one";
}

TEST_F(PlannedCall, WithABorrowedWorkspaceAsksTheStreamNothing) {
  stack()->push_back(primary(0));
  const Plan planned = plan("lookback");
  const Buffer memory(engine_->device(), planned.workspace_bytes(1000) + 128);
  auto address = (reinterpret_cast<std::uintptr_t>(memory.data()) + 127) / 128 * 128;
  const BorrowedWorkspace workspace =
      planned.borrow_workspace(reinterpret_cast<void*>(address), planned.workspace_bytes(1000), stream_);
  const Scalar zero = Scalar::of(0);
  const Cost found = cost_of([&] { planned.run(in_, out_, 1000, zero, stream_, workspace); });
  EXPECT_EQ(found.allocations, 0u);
  EXPECT_EQ(found.driver_calls, 2u);
}

TEST_F(PlannedCall, ThatTheContextPlansAllocatesNothing) {
  stack()->push_back(primary(0));
  const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32, 1 << 20);
  const Cost found = cost_of([&] { engine_->plan(problem, stream_).run(in_, out_, 1 << 20, stream_); });
  EXPECT_EQ(found.allocations, 0u);
  EXPECT_LE(found.driver_calls, most_driver_calls);
}

TEST_F(PlannedCall, IsDependentIfTheConfigSaysSoAndTheContextAllows) {
  for (const bool allowed : {false, true}) {
    reopen(allowed);
    for (const char* schedule : {"lookback", "chained", "single_block"}) {
      SCOPED_TRACE(schedule);
      const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32, 1 << 20);
      Config config = Space(problem, engine_->device().limits()).complete({schedule, {}});
      for (const char* dependent : {"no", "yes"}) {
        config.values["dependent_launch"] = dependent;
        engine_->plan(problem, config, stream_).run(in_, out_, 1000, stream_);
        EXPECT_EQ(cuda->launches.back().dependent, allowed && std::string(dependent) == "yes");
      }
    }
  }
}

// ---- whose workspace it is

class StreamsOfOneHandle : public PlannedCall {
 protected:
  void* workspace(std::uint64_t bytes = 1000) {
    Workspaces& workspaces = engine_->workspaces();
    void* lent = nullptr;
    workspaces.lend(std::array{WorkspaceRequest{workspaces.layout("tiles"), bytes}}, stream_,
                    [&](void* const* memory) { lent = memory[0]; });
    return lent;
  }
  [[nodiscard]] CUstream raw() const { return stream_.handle(); }
};

TEST_F(StreamsOfOneHandle, DoNotShareAWorkspace) {
  cuda->ids[raw()] = 17;
  void* const first = workspace();
  EXPECT_EQ(workspace(), first);
  cuda->ids[raw()] = 18;  // destroyed, while its work goes on, and another made
  void* const second = workspace();
  EXPECT_NE(second, first);
  EXPECT_EQ(workspace(), second);
}

TEST_F(StreamsOfOneHandle, FailureToAllocateLeavesTheOldWorkspaceInUse) {
  void* const before = workspace();
  cuda->failures = {{"cuMemAlloc_v2", CUDA_ERROR_OUT_OF_MEMORY}};
  EXPECT_THROW((void)workspace(1 << 20), DeviceError);
  EXPECT_EQ(workspace(), before);
  cuda->failures.clear();
  EXPECT_NE(workspace(1 << 20), before);
}

TEST_F(StreamsOfOneHandle, UnknownStreamsAreErrors) {
  EXPECT_THROW(plan("lookback").run(in_, out_, 10, reinterpret_cast<CUstream>(0xbad0)), DeviceError);
}

}  // namespace
}  // namespace upsweep::runtime
