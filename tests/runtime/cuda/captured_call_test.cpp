// Which memory captured calls use, over a stand-in for libcuda that keeps the graph of what is captured.
#include <array>
#include <set>

#include <upsweep/error.hpp>

#include "runtime/cuda/scopes.hpp"
#include "tests/runtime/cuda/planned_call.hpp"

namespace upsweep::runtime {
namespace {

class CapturedCall : public PlannedCall {
 protected:
  // Adds a call to a stream, as Plan::run does. Returns the workspace it got.
  void* call(Stream stream, std::uint64_t bytes = 1000, const char* layout = "tiles") {
    Workspaces& workspaces = engine_->workspaces();
    void* lent = nullptr;
    workspaces.lend(std::array{WorkspaceRequest{workspaces.layout(layout), bytes}}, stream, [&](void* const* memory) {
      lent = memory[0];
      kernel_call(stream);
    });
    return lent;
  }
  // A launch of somebody else's kernel.
  void kernel_call(Stream stream) {
    Launch launch{.blocks = 1, .threads_per_block = 32};
    int number = 0;
    void* arguments[] = {&number};
    if (!kernel_) kernel_ = engine_->device().load(image("good f"), "f", {});
    engine_->device().launch(*kernel_, launch, arguments, stream);
  }
  void begin(Stream stream, cuuint64_t capture) { cuda->captures[stream.handle()] = capture; }
  // As cuStreamWaitEvent does: what comes next on the stream runs after what is on the other one.
  void join(Stream stream, Stream other) {
    for (CUgraphNode node : cuda->next_depends_on[other.handle()]) {
      cuda->next_depends_on[stream.handle()].push_back(node);
    }
  }
  CUgraph end(Stream stream) {
    const Current current(driver(), primary(0));
    CUgraph graph = nullptr;
    EXPECT_EQ(driver().cuStreamEndCapture(stream.handle(), &graph), CUDA_SUCCESS);
    return graph;
  }
  void destroy(CUgraph graph) {
    const Current current(driver(), primary(0));
    EXPECT_EQ(driver().cuGraphDestroy(graph), CUDA_SUCCESS);
  }
  void TearDown() override {
    kernel_.reset();
    PlannedCall::TearDown();
  }
  std::unique_ptr<Kernel> kernel_;
};

TEST_F(CapturedCall, InARowShareMemory) {
  begin(stream_, 5);
  void* const first = call(stream_);
  EXPECT_EQ(call(stream_), first);
  for (int i = 0; i < 10; ++i) kernel_call(stream_);
  EXPECT_EQ(call(stream_), first) << "kernels of others between them change nothing";
  EXPECT_NE(call(stream_, 1000, "partials"), first);
  EXPECT_NE(call(stream_, 1 << 20), first);
  EXPECT_EQ(call(stream_, 100), first);
  destroy(end(stream_));
}

TEST_F(CapturedCall, IsNotGivenTheStreamsMemoryOrAnotherCaptures) {
  std::set<void*> found{call(stream_)};
  std::vector<CUgraph> graphs;
  for (const cuuint64_t capture : {5, 6}) {
    begin(stream_, capture);
    found.insert(call(stream_));
    graphs.push_back(end(stream_));
  }
  EXPECT_EQ(found.size(), 3u);
  EXPECT_EQ(found.count(call(stream_)), 1u);
  for (CUgraph graph : graphs) destroy(graph);
}

// cuStreamUpdateCaptureDependencies: one stream, two branches.
TEST_F(CapturedCall, OnParallelBranchesOfOneStreamHasItsOwn) {
  begin(stream_, 5);
  kernel_call(stream_);
  const std::vector<CUgraphNode> root = cuda->next_depends_on[stream_.handle()];
  void* const left = call(stream_);
  const std::vector<CUgraphNode> left_end = cuda->next_depends_on[stream_.handle()];
  cuda->next_depends_on[stream_.handle()] = root;
  void* const right = call(stream_);
  EXPECT_NE(right, left);
  EXPECT_EQ(call(stream_), right);
  for (CUgraphNode node : left_end) cuda->next_depends_on[stream_.handle()].push_back(node);
  void* const joined = call(stream_);
  EXPECT_TRUE(joined == left || joined == right) << "behind both, either will do";
  destroy(end(stream_));
}

TEST_F(CapturedCall, OnForkedStreamsHaveTheirOwnUntilTheyJoin) {
  const Stream other = engine_->device().create_stream();
  begin(stream_, 5);
  void* const before = call(stream_);
  begin(other, 5);
  join(other, stream_);
  void* const beside = call(other);
  EXPECT_EQ(beside, before) << "it runs after the call on the first stream";
  void* const after = call(stream_);
  EXPECT_NE(after, beside) << "it runs beside the call on the forked stream";
  join(stream_, other);
  EXPECT_TRUE(call(stream_) == beside || call(stream_) == after);
  cuda->captures.erase(other.handle());
  destroy(end(stream_));
  engine_->device().destroy_stream(other);
}

TEST_F(CapturedCall, ReturnsItsMemoryWhenGraphAndExecutablesAreGone) {
  stack()->push_back(primary(0));
  begin(stream_, 5);
  void* const memory = call(stream_);
  const CUgraph graph = end(stream_);
  CUgraphExec executable = nullptr;
  ASSERT_EQ(driver().cuGraphInstantiateWithFlags(&executable, graph, 0), CUDA_SUCCESS);
  destroy(graph);
  begin(stream_, 6);
  void* const other = call(stream_);
  EXPECT_NE(other, memory) << "the executable may still run";
  ASSERT_EQ(driver().cuGraphExecDestroy(executable), CUDA_SUCCESS);
  destroy(end(stream_));
  begin(stream_, 7);
  EXPECT_EQ(std::set<void*>({call(stream_), memory, other}).size(), 2u);
  destroy(end(stream_));
}

TEST_F(CapturedCall, OfThousandCapturesNeedsTheMemoryOfOne) {
  std::set<void*> found;
  for (cuuint64_t capture = 1; capture <= 1000; ++capture) {
    begin(stream_, capture);
    found.insert(call(stream_));
    destroy(end(stream_));
  }
  EXPECT_EQ(found.size(), 1u);
}

TEST_F(CapturedCall, OfAPreparedPlanAllocatesNothing) {
  const Plan planned = plan("lookback");
  const std::uint64_t n = 100'000'000;
  planned.prepare(n, stream_);
  planned.run(in_, out_, n, stream_);
  begin(stream_, 5);
  cuda->failures = {{"cuMemAlloc_v2", CUDA_ERROR_OUT_OF_MEMORY}};
  EXPECT_NO_THROW(planned.run(in_, out_, n, stream_));
  EXPECT_NO_THROW(planned.run(in_, out_, n, stream_));
  EXPECT_THROW(planned.run(in_, out_, 4 * n, stream_), DeviceError) << "more than was prepared";
  const auto graph = end(stream_);
  begin(stream_, 6);
  EXPECT_THROW(planned.run(in_, out_, n, stream_), DeviceError) << "the memory belongs to the first graph";
  destroy(end(stream_));
  cuda->failures.clear();
  planned.prepare(n, stream_);
  cuda->failures = {{"cuMemAlloc_v2", CUDA_ERROR_OUT_OF_MEMORY}};
  begin(stream_, 7);
  EXPECT_NO_THROW(planned.run(in_, out_, n, stream_));
  destroy(end(stream_));
  cuda->failures.clear();
  destroy(graph);
}

TEST_F(CapturedCall, KeepsItsMemoryWhereTheDriverCannotTieItToTheGraph) {
  cuda->failures = {{"cuUserObjectCreate", CUDA_ERROR_NOT_SUPPORTED}};
  std::set<void*> found;
  for (const cuuint64_t capture : {5, 6}) {
    begin(stream_, capture);
    found.insert(call(stream_));
    EXPECT_EQ(found.count(call(stream_)), 1u);
    destroy(end(stream_));
  }
  EXPECT_EQ(found.size(), 2u);
}

TEST_F(CapturedCall, ThatFailedLeavesTheMemoryToTheNext) {
  begin(stream_, 5);
  Workspaces& workspaces = engine_->workspaces();
  const std::array tiles{WorkspaceRequest{workspaces.layout("tiles"), 1000}};
  EXPECT_THROW(workspaces.lend(tiles, stream_, [](void* const*) { throw DeviceError("not launched"); }), DeviceError);
  void* const first = call(stream_);
  EXPECT_THROW(workspaces.lend(tiles, stream_, [](void* const*) { throw DeviceError("not launched"); }), DeviceError);
  EXPECT_EQ(call(stream_), first);
  destroy(end(stream_));
}

// The memory of a call of two launches is free behind the second one: what runs behind the first alone has its own.
TEST_F(CapturedCall, OfTwoLaunchesKeepsItsMemoryUpToTheLast) {
  begin(stream_, 5);
  Workspaces& workspaces = engine_->workspaces();
  const std::array both{WorkspaceRequest{workspaces.layout("tiles"), 1000},
                        WorkspaceRequest{workspaces.layout("scratch"), 50'000}};
  const Stream other = engine_->device().create_stream();
  std::array<void*, 2> lent{};
  workspaces.lend(both, stream_, [&](void* const* memory) {
    lent = {memory[0], memory[1]};
    kernel_call(stream_);
    begin(other, 5);
    join(other, stream_);  // behind the first launch
    kernel_call(stream_);
  });
  EXPECT_NE(lent[0], lent[1]);
  EXPECT_NE(call(other, 1000, "tiles"), lent[0]);
  EXPECT_NE(call(other, 50'000, "scratch"), lent[1]);
  EXPECT_EQ(call(stream_, 1000, "tiles"), lent[0]);
  EXPECT_EQ(call(stream_, 50'000, "scratch"), lent[1]);
  cuda->captures.erase(other.handle());
  destroy(end(stream_));
  engine_->device().destroy_stream(other);
}

// A launch that fails behind another one leaves the first in the graph.
TEST_F(CapturedCall, ThatFailedHalfwayKeepsItsMemory) {
  begin(stream_, 5);
  Workspaces& workspaces = engine_->workspaces();
  const std::array tiles{WorkspaceRequest{workspaces.layout("tiles"), 1000}};
  const Stream other = engine_->device().create_stream();
  void* const first = call(stream_);
  begin(other, 5);
  join(other, stream_);
  EXPECT_THROW(workspaces.lend(tiles, stream_,
                               [&](void* const*) {
                                 kernel_call(stream_);
                                 throw DeviceError("the second is not launched");
                               }),
               DeviceError);
  EXPECT_NE(call(other), first) << "the launch before may still run";
  EXPECT_EQ(call(stream_), first);
  cuda->captures.erase(other.handle());
  destroy(end(stream_));
  engine_->device().destroy_stream(other);
}

TEST_F(CapturedCall, MayOutliveTheContext) {
  begin(stream_, 5);
  call(stream_);
  const CUgraph graph = end(stream_);
  kernel_.reset();
  close();
  stack()->push_back(primary(0));
  destroy(graph);  // what the graph tells then, nobody hears
  open();
}

TEST_F(CapturedCall, CannotBeReleased) {
  begin(stream_, 5);
  EXPECT_THROW(engine_->workspaces().release(stream_), UsageError);
  destroy(end(stream_));
}

}  // namespace
}  // namespace upsweep::runtime
