// Calls in graphs that run side by side: what may, and how what may not ends.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <set>
#include <thread>

#include <gtest/gtest.h>
#include <upsweep/error.hpp>

#include "generator/space.hpp"
#include "tests/gpu/job.hpp"
#include "tests/support/guarded_memory.hpp"

namespace upsweep {
namespace {

using test::Executable;
using test::Graphs;
using test::Job;
using test::ScopedStream;

constexpr std::uint64_t n = 20'000'003;  // long enough that branches overlap

Problem captured_sum(Algorithm algorithm, Type type = Type::i32) {
  return make_problem(algorithm, Operator::plus, type, type, n);
}

// Schedules that have a workspace, with small tiles, so that many blocks exchange.
std::vector<std::pair<Problem, Config>> exchanging() {
  const DeviceLimits& limits = test::gpu_engine()->device().limits();
  const auto config = [&](const Problem& problem, Config partial) { return Space(problem, limits).complete(partial); };
  const Problem scan = captured_sum(Algorithm::inclusive_scan), reduce = captured_sum(Algorithm::reduce);
  return {{scan, config(scan, {"lookback", {}})},
          {scan, config(scan, {"chained", {}})},
          {scan, config(scan, {"all_aggregates", {}})},
          {scan, config(scan, {"lookahead", {{"order", "ticket"}}})},
          {scan, config(scan, {"lookahead", {{"order", "strided"}}})},
          {reduce, config(reduce, {"last_block", {}})},
          {reduce, config(reduce, {"last_started", {}})}};
}

// One stream, whose branches the user makes: cuStreamUpdateCaptureDependencies.
TEST(GpuCaptures, ParallelBranchesOfOneStreamAreRight) {
  using Update = CUresult (*)(CUstream, CUgraphNode*, std::size_t, unsigned);
  const auto update = test::driver_symbol<Update>("cuStreamUpdateCaptureDependencies");
  const auto& engine = test::gpu_engine();
  const test::ScopedPrimaryContext context;
  for (const auto& [problem, config] : exchanging()) {
    SCOPED_TRACE(to_json(config));
    const ScopedStream stream(engine->device());
    const Plan plan = engine->plan(problem, config, stream.get());
    std::vector<Job> jobs;
    for (std::uint64_t i = 0; i < 4; ++i) jobs.emplace_back(engine->device(), plan, n + i, i);
    const Executable executable(stream.get(), [&] {
      for (const Job& job : jobs) {
        EXPECT_EQ(update(stream.get().handle(), nullptr, 0, CU_STREAM_SET_CAPTURE_DEPENDENCIES), CUDA_SUCCESS);
        job.run(plan, stream.get());
      }
    });
    for (int replay = 0; replay < 20; ++replay) ASSERT_NO_FATAL_FAILURE(executable.launch(stream.get()));
    for (const Job& job : jobs) EXPECT_EQ(job.wrong(engine->device(), stream.get()), std::nullopt);
  }
}

TEST(GpuCaptures, ExecutablesOfDifferentGraphsMayRunAtOnce) {
  const auto& engine = test::gpu_engine();
  const test::ScopedPrimaryContext context;
  for (const auto& [problem, config] : exchanging()) {
    SCOPED_TRACE(to_json(config));
    const ScopedStream first(engine->device()), second(engine->device());
    const Plan plan = engine->plan(problem, config, first.get());
    const Job a(engine->device(), plan, n, 1), b(engine->device(), plan, n + 1, 2);
    const Executable run_a(first.get(), [&] { a.run(plan, first.get()); });
    const Executable run_b(first.get(), [&] { b.run(plan, first.get()); });
    for (int replay = 0; replay < 50; ++replay) {
      ASSERT_NO_FATAL_FAILURE(run_a.launch(first.get()));
      ASSERT_NO_FATAL_FAILURE(run_b.launch(second.get()));
    }
    EXPECT_EQ(a.wrong(engine->device(), first.get()), std::nullopt);
    EXPECT_EQ(b.wrong(engine->device(), second.get()), std::nullopt);
  }
}

// Of 2,000 captures one after the other. A thread of the driver tells that a graph is gone, late on a busy machine: 60
// places were seen with 16 tests at once on 16 cores, and up to 3 otherwise.
TEST(GpuCaptures, GiveTheirMemoryBack) {
  const auto& engine = test::gpu_engine();
  const test::ScopedPrimaryContext context;
  const ScopedStream stream(engine->device());
  const runtime::Buffer out(engine->device(), 16);
  runtime::Workspaces& workspaces = engine->workspaces();
  const std::array request{runtime::WorkspaceRequest{workspaces.layout("of this test alone"), 40'000}};
  std::set<void*> found;
  for (int i = 0; i < 2000; ++i) {
    const Executable executable(stream.get(), [&] {
      workspaces.lend(request, stream.get(), [&](void* const* memory) {
        found.insert(memory[0]);
        engine->device().fill(out.data(), 1, 16, stream.get());
      });
    });
    executable.launch(stream.get());
    engine->device().synchronize(stream.get());
  }
  EXPECT_LT(found.size(), 500u);
}

// One captured call twice in a graph, one after the other: both use one workspace.
TEST(GpuCaptures, OneChildGraphMayStandTwiceInARow) {
  const auto& engine = test::gpu_engine();
  const test::ScopedPrimaryContext context;
  const Graphs graphs;
  constexpr std::uint64_t items = 1'000'003;
  constexpr int launches = 5;
  for (const auto& [problem, config] : exchanging()) {
    SCOPED_TRACE(to_json(config));
    const ScopedStream stream(engine->device());
    const Plan plan = engine->plan(problem, config, stream.get());
    const bool in_place = problem.algorithm != Algorithm::reduce;  // then each run takes what the one before it made
    const Job job(engine->device(), plan, items, 5);
    void* const to = in_place ? job.in.data() : job.out.data();
    const Executable child(stream.get(), [&] { plan.run(job.in.data(), to, items, stream.get()); });
    CUgraph parent = nullptr;
    ASSERT_EQ(graphs.create(&parent, 0), CUDA_SUCCESS);
    CUgraphNode first = nullptr, second = nullptr;
    ASSERT_EQ(graphs.add_child(&first, parent, nullptr, 0, child.graph()), CUDA_SUCCESS);
    ASSERT_EQ(graphs.add_child(&second, parent, &first, 1, child.graph()), CUDA_SUCCESS);
    const Executable executable(parent);
    for (int launch = 0; launch < launches; ++launch) ASSERT_NO_FATAL_FAILURE(executable.launch(stream.get()));
    std::vector<std::uint32_t> wanted(items), got(in_place ? items : 1);
    std::memcpy(wanted.data(), job.input.data(), job.input.size());
    for (int run = 0; run < (in_place ? 2 * launches : 1); ++run) {
      std::partial_sum(wanted.begin(), wanted.end(), wanted.begin());
    }
    if (!in_place) wanted = {wanted.back()};
    engine->device().copy_to_host(got.data(), to, 4 * got.size(), stream.get());
    EXPECT_TRUE(got == wanted);
  }
}

// The captured call may be a plan's first, whose addresses are checked.
TEST(GpuCaptures, MayBeginWithAPlansFirstCall) {
  const auto engine = runtime::Engine::open({.device = test::gpu_device(), .database = "none", .reproducible = false});
  const test::ScopedPrimaryContext context;
  const ScopedStream stream(engine->device());
  const Plan plan = engine->plan(captured_sum(Algorithm::inclusive_scan), stream.get());
  const Job job(engine->device(), plan, n, 4);
  const Executable executable(stream.get(), [&] { job.run(plan, stream.get()); });
  ASSERT_NO_FATAL_FAILURE(executable.launch(stream.get()));
  EXPECT_EQ(job.wrong(engine->device(), stream.get()), std::nullopt);
}

// ---- what context.hpp forbids: two executables of one graph at the same time

enum Outcome { ends = 0, hangs = 2, illegal_address = 3, other_error = 4, writes_elsewhere = 5 };

// Whether what lies beside the first `bytes` bytes of an array is as it was.
bool guards_hold(const test::GuardedMemory& memory, std::size_t bytes, Stream stream) {
  const std::vector<std::byte> all = memory.fetch(stream);
  const auto is_guard = [](std::byte each) { return each == test::GuardedMemory::poison; };
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(memory.offset());
  return std::all_of(all.begin(), begin, is_guard) &&
         std::all_of(begin + static_cast<std::ptrdiff_t>(bytes), all.end(), is_guard);
}

// In a process of its own, whose CUDA context may be lost.
[[noreturn]] void run_one_graph_twice_at_once(std::size_t which) {
  const auto& engine = test::gpu_engine();
  const test::ScopedPrimaryContext context;
  const auto [problem, config] = exchanging()[which];
  const ScopedStream first(engine->device()), second(engine->device());
  const Plan plan = engine->plan(problem, config, first.get());
  const std::uint64_t items = 3'000'003, output_bytes = problem.algorithm == Algorithm::reduce ? 4 : 4 * items;
  const Job job(engine->device(), plan, items, 1);
  const test::GuardedMemory out(engine->device(), output_bytes, 0, first.get());
  const test::GuardedMemory memory(engine->device(), plan.workspace_bytes(items), 64, first.get());
  const BorrowedWorkspace workspace = plan.borrow_workspace(memory.data(), plan.workspace_bytes(items), first.get());
  engine->device().synchronize(first.get());
  const Executable once(first.get(),
                        [&] { plan.run(job.in.data(), out.data(), items, Scalar::of(0), first.get(), workspace); });
  CUgraphExec executables[2] = {};
  for (CUgraphExec& each : executables) EXPECT_EQ(Graphs().instantiate(&each, once.graph(), 0), CUDA_SUCCESS);
  const auto query = test::driver_symbol<CUresult (*)(CUstream)>("cuStreamQuery");
  CUresult result = CUDA_SUCCESS;
  for (int replay = 0; replay < 300 && result == CUDA_SUCCESS; ++replay) {
    result = Graphs().launch(executables[replay % 2], (replay % 2 == 0 ? first : second).get().handle());
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (const ScopedStream* stream : {&first, &second}) {
    while (result == CUDA_SUCCESS && (result = query(stream->get().handle())) == CUDA_ERROR_NOT_READY) {
      if (std::chrono::steady_clock::now() > end) std::_Exit(hangs);
      result = CUDA_SUCCESS;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  const bool stopped = result == CUDA_ERROR_LAUNCH_FAILED || result == CUDA_ERROR_ILLEGAL_INSTRUCTION;
  std::fprintf(stderr, "ended with %d\n", static_cast<int>(result));
  if (result == CUDA_SUCCESS &&
      !(guards_hold(out, output_bytes, first.get()) && guards_hold(memory, plan.workspace_bytes(items), first.get()))) {
    std::_Exit(writes_elsewhere);
  }
  std::_Exit(result == CUDA_SUCCESS || stopped      ? ends
             : result == CUDA_ERROR_ILLEGAL_ADDRESS ? illegal_address
                                                    : other_error);
}

// All but all_aggregates and last_started, which may wait for ever.
class GpuSharedWorkspace : public testing::TestWithParam<std::size_t> {};

TEST_P(GpuSharedWorkspace, NeitherHangsNorWritesElsewhere) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(run_one_graph_twice_at_once(GetParam()), testing::ExitedWithCode(ends), "ended with");
}

INSTANTIATE_TEST_SUITE_P(All, GpuSharedWorkspace, testing::Values(0, 1, 3, 4, 5));

}  // namespace
}  // namespace upsweep
