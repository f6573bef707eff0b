// What a planned call costs the host: driver calls and allocations, counted over a stand-in for libcuda. In a program
// of its own, because counting replaces operator new.
#include <memory>
#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "generator/space.hpp"
#include "runtime/engine.hpp"
#include "tests/runtime/cuda/allocations.hpp"
#include "tests/runtime/cuda/fake_device.hpp"

namespace upsweep::runtime {
namespace {

// Every source becomes an image that the stand-in takes.
class FakeCompiler : public Compiler {
 public:
  [[nodiscard]] std::string version() const override { return "fake 1"; }
  [[nodiscard]] std::string options() const override { return {}; }
  [[nodiscard]] Compiled compile(const Source& source, const std::string& /*architecture*/) override {
    const std::string text = "good " + source.entry;
    const auto* const bytes = reinterpret_cast<const std::byte*>(text.c_str());
    return {.binary = {bytes, bytes + text.size() + 1}, .log = {}};
  }
};

struct Cost {
  std::uint64_t driver_calls = 0;
  std::uint64_t allocations = 0;
};

class PlannedCall : public test::FakeDevice {
 protected:
  PlannedCall() {
    cuda->attributes = {{CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
                        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048},
                        {CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 32},
                        {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536},
                        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 227 * 1024},
                        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 228 * 1024},
                        {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 132}};
  }
  void open(bool dependent_launch = true) {
    engine_ = std::make_shared<Engine>(Engine::Parts{.device = CudaDevice::open(0),
                                                     .compiler = std::make_shared<FakeCompiler>(),
                                                     .cache = {.directory = {}, .max_bytes = 0, .enabled = false},
                                                     .database = {},
                                                     .reproducible = false,
                                                     .dependent_launch = dependent_launch,
                                                     .forced = std::nullopt});
    stream_ = engine_->device().create_stream();
  }
  [[nodiscard]] Plan plan(const char* schedule) {
    const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32, 1 << 20);
    return engine_->plan(problem, Space(problem, engine_->device().limits()).complete({schedule, {}}), stream_);
  }
  // Of a call that is not the first.
  [[nodiscard]] Cost cost(const Plan& plan, Stream stream, std::uint64_t n = 1000) {
    plan.run(nullptr, nullptr, n, stream);
    cuda->recording = false;
    const Cost before{cuda->entered, test::allocations()};
    plan.run(nullptr, nullptr, n, stream);
    const Cost after{cuda->entered, test::allocations()};
    cuda->recording = true;
    return {after.driver_calls - before.driver_calls, after.allocations - before.allocations};
  }
  void TearDown() override {
    engine_->device().destroy_stream(stream_);
    engine_.reset();
    test::FakeDevice::TearDown();
  }

  std::shared_ptr<Engine> engine_;
  Stream stream_ = nullptr;
};

// The context (twice), whether the stream is captured, its id, and the launch.
constexpr std::uint64_t most_driver_calls = 5;

TEST_F(PlannedCall, CountersCount) {
  open();
  const Cost before{cuda->entered, test::allocations()};
  (void)std::make_unique<std::array<int, 1000>>();
  engine_->device().synchronize(stream_);
  EXPECT_GT(cuda->entered, before.driver_calls);
  EXPECT_GT(test::allocations(), before.allocations);
}

TEST_F(PlannedCall, AllocatesNothingAndAsksTheDriverLittle) {
  open();
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

TEST_F(PlannedCall, WithoutAWorkspaceAsksTheStreamNothing) {
  open();
  stack()->push_back(primary(0));
  const Plan planned = plan("single_block");
  ASSERT_TRUE(planned.source().workspace.layout.empty());
  const Cost found = cost(planned, stream_);
  EXPECT_EQ(found.allocations, 0u);
  EXPECT_EQ(found.driver_calls, 2u) << "the context and the launch";
}

TEST_F(PlannedCall, OnTheLegacyStreamAsksTheStreamNothing) {
  open();
  stack()->push_back(primary(0));
  const Cost found = cost(plan("lookback"), nullptr);
  EXPECT_EQ(found.allocations, 0u);
  EXPECT_EQ(found.driver_calls, 2u) << "the context and the launch";
}

TEST_F(PlannedCall, OfThePerThreadStreamOrACaptureIsNoDearer) {
  open();
  stack()->push_back(primary(0));
  const Plan planned = plan("lookback");
  EXPECT_LE(cost(planned, CU_STREAM_PER_THREAD).driver_calls, most_driver_calls);
  cuda->captures[static_cast<CUstream>(stream_)] = 7;
  const Cost captured = cost(planned, stream_);
  cuda->captures.clear();
  EXPECT_LT(captured.driver_calls, most_driver_calls);
  EXPECT_EQ(captured.allocations, 0u);
}

TEST_F(PlannedCall, FromAThreadWithoutAContextAllocatesNothingEither) {
  open();
  const Plan planned = plan("lookback");
  const Cost found = cost(planned, stream_);
  EXPECT_EQ(found.allocations, 0u);
  EXPECT_LE(found.driver_calls, most_driver_calls + 4) << "each of the two looks at the context pushes and pops one";
}

TEST_F(PlannedCall, WithABorrowedWorkspaceAsksTheStreamNothing) {
  open();
  stack()->push_back(primary(0));
  const Plan planned = plan("lookback");
  const Buffer memory(engine_->device(), planned.workspace_bytes(1000) + 128);
  auto address = (reinterpret_cast<std::uintptr_t>(memory.data()) + 127) / 128 * 128;
  const BorrowedWorkspace workspace =
      planned.borrow_workspace(reinterpret_cast<void*>(address), planned.workspace_bytes(1000), stream_);
  const Scalar zero = Scalar::of(0);
  planned.run(nullptr, nullptr, 1000, zero, stream_, workspace);
  cuda->recording = false;
  const Cost before{cuda->entered, test::allocations()};
  planned.run(nullptr, nullptr, 1000, zero, stream_, workspace);
  EXPECT_EQ(test::allocations(), before.allocations);
  EXPECT_EQ(cuda->entered - before.driver_calls, 2u);
}

TEST_F(PlannedCall, ThatTheContextPlansAllocatesNothing) {
  open();
  stack()->push_back(primary(0));
  const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32, 1 << 20);
  engine_->plan(problem, stream_).run(nullptr, nullptr, 1 << 20, stream_);
  cuda->recording = false;
  const Cost before{cuda->entered, test::allocations()};
  engine_->plan(problem, stream_).run(nullptr, nullptr, 1 << 20, stream_);
  EXPECT_EQ(test::allocations(), before.allocations);
  EXPECT_LE(cuda->entered - before.driver_calls, most_driver_calls);
}

TEST_F(PlannedCall, IsDependentIfTheConfigSaysSoAndTheContextAllows) {
  for (const bool allowed : {false, true}) {
    open(allowed);
    for (const char* schedule : {"lookback", "chained", "single_block"}) {
      SCOPED_TRACE(schedule);
      const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32, 1 << 20);
      Config config = Space(problem, engine_->device().limits()).complete({schedule, {}});
      for (const char* dependent : {"no", "yes"}) {
        config.values["dependent_launch"] = dependent;
        engine_->plan(problem, config, stream_).run(nullptr, nullptr, 1000, stream_);
        EXPECT_EQ(cuda->launches.back().dependent, allowed && std::string(dependent) == "yes");
      }
    }
    engine_->device().destroy_stream(stream_);
    engine_.reset();
  }
  open();
}

// ---- whose workspace it is

class StreamsOfOneHandle : public PlannedCall {
 protected:
  void* workspace() {
    Workspaces& workspaces = engine_->workspaces();
    return workspaces.get(workspaces.layout("tiles"), 1000, stream_);
  }
  [[nodiscard]] CUstream raw() const { return static_cast<CUstream>(stream_); }
};

TEST_F(StreamsOfOneHandle, DoNotShareAWorkspace) {
  open();
  cuda->ids[raw()] = 17;
  void* const first = workspace();
  EXPECT_EQ(workspace(), first);
  cuda->ids[raw()] = 18;  // destroyed, while its work goes on, and another made
  void* const second = workspace();
  EXPECT_NE(second, first);
  EXPECT_EQ(workspace(), second);
}

TEST_F(StreamsOfOneHandle, InACaptureOutsideAndInTheNextHaveTheirOwn) {
  open();
  std::vector<void*> found{workspace()};
  for (const cuuint64_t capture : {5, 6}) {
    cuda->captures[raw()] = capture;
    found.push_back(workspace());
    EXPECT_EQ(workspace(), found.back());
  }
  cuda->captures.clear();
  EXPECT_EQ(workspace(), found[0]);
  EXPECT_EQ(std::set<void*>(found.begin(), found.end()).size(), 3u);
}

TEST_F(StreamsOfOneHandle, FailureToAllocateLeavesTheOldWorkspaceInUse) {
  open();
  Workspaces& workspaces = engine_->workspaces();
  const std::uint32_t tiles = workspaces.layout("tiles");
  void* const before = workspaces.get(tiles, 1000, stream_);
  cuda->failures = {{"cuMemAlloc_v2", CUDA_ERROR_OUT_OF_MEMORY}};
  EXPECT_THROW((void)workspaces.get(tiles, 1 << 20, stream_), DeviceError);
  EXPECT_EQ(workspaces.get(tiles, 1000, stream_), before);
  cuda->failures.clear();
  EXPECT_NE(workspaces.get(tiles, 1 << 20, stream_), before);
}

TEST_F(StreamsOfOneHandle, UnknownStreamsAreErrors) {
  open();
  EXPECT_THROW(plan("lookback").run(nullptr, nullptr, 10, reinterpret_cast<Stream>(0xbad0)), DeviceError);
}

}  // namespace
}  // namespace upsweep::runtime
