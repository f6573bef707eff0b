// What launches leave in their workspace for those after them: epochs, tags and what clears them, under hostile
// schedules.
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "generator/space.hpp"
#include "tests/runtime/hostile.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/host_context.hpp"

namespace upsweep {
namespace {

using test::affine;
using test::complex_sum;
using test::Data;
using test::hostile_schedule;

// Each launch leaves the workspace ready for the next, whatever sizes follow each other.
TEST(Workspace, ResetsItself) {
  const auto device = std::make_shared<runtime::HostDevice>();
  const auto engine = test::host_engine(device);
  const Problem problem = affine(Algorithm::inclusive_scan, Type::u32);
  const Plan plan = engine->plan(problem, {"lookback", {{"threads_per_block", 32}, {"items_per_thread", 1}}}, nullptr);
  std::uint64_t seed = 1;
  for (const std::uint64_t n : {500u, 1u, 32u, 900u, 33u, 899u, 2u, 640u, 640u}) {
    device->set_schedule(hostile_schedule(++seed));
    ASSERT_EQ(test::run_and_compare(*device, plan, n, Data::random, seed), std::nullopt);
  }
}

// Just before the launch counter in the tags wraps, and after: tags of the launch before the wrap must not be taken for
// those of launches after it.
TEST(Workspace, SurvivesTheWrapOfItsEpoch) {
  const auto device = std::make_shared<runtime::HostDevice>();
  const auto engine = test::host_engine(device);
  const Problem one_word = affine(Algorithm::inclusive_scan, Type::u64);
  for (const auto& [problem, descriptor] :
       {std::pair{one_word, "packed"}, {one_word, "split"}, {complex_sum(Algorithm::inclusive_scan), "packed"}}) {
    const std::size_t item = size_of(problem.input);
    const Plan plan = engine->plan(
        problem, {"lookback", {{"descriptor", descriptor}, {"threads_per_block", 32}, {"items_per_thread", 1}}},
        nullptr);
    const std::uint64_t n = 700;
    runtime::Buffer memory(*device, plan.workspace_bytes(n)), in(*device, n * item), out(*device, n * item);
    const BorrowedWorkspace workspace = plan.borrow_workspace(memory.data(), memory.bytes());
    const std::uint32_t near_wrap = (1u << 30) - 4;  // header: ticket (epoch in its high half), high water, scrubbed
    std::memcpy(static_cast<char*>(memory.data()) + 4, &near_wrap, 4);
    for (std::uint64_t launch = 0; launch < 8; ++launch) {
      device->set_schedule(hostile_schedule(launch + 1));
      const std::uint64_t items = launch % 2 == 0 ? n : 100;
      const auto input = test::make_data(problem, items, Data::random, launch);
      std::memcpy(in.data(), input.data(), input.size());
      const Scalar none = identity(problem.op, problem.accumulator);
      plan.run(in.data(), out.data(), items, none, nullptr, workspace);
      const auto* bytes = static_cast<const std::byte*>(out.data());
      ASSERT_EQ(test::difference(problem.output, test::expected(problem, input, items, none), {bytes, items * item}),
                std::nullopt)
          << to_string(problem) << " " << descriptor << " launch " << launch;
    }
    std::uint64_t ticket = 0;
    std::memcpy(&ticket, memory.data(), 8);
    EXPECT_EQ(ticket, std::uint64_t{4} << 32) << "four launches up to the last epoch, then four more";
  }
}

// In the last epoch before the wrap, the tag of what was cleared, or never used, must not be taken for one of the
// launch after it. The strided order looks for those where it waits.
TEST(Workspace, StridedWaitsForClearedTagsInTheLastEpoch) {
  const auto device = std::make_shared<runtime::HostDevice>();
  const auto engine = test::host_engine(device);
  const Problem problem = affine(Algorithm::inclusive_scan, Type::u64);
  const Plan plan = engine->plan(
      problem, {"lookahead", {{"order", "strided"}, {"worker_warps", 1}, {"vectors_per_thread", 1}}}, nullptr);
  const std::uint64_t n = 20 * plan.source().launch.items_per_tile;
  const Scalar none = identity(problem.op, problem.accumulator);
  const std::uint32_t last_epoch = (1u << 30) - 1;
  runtime::Buffer in(*device, n * sizeof(std::uint64_t)), out(*device, n * sizeof(std::uint64_t));
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    runtime::Buffer memory(*device, plan.workspace_bytes(n));
    const BorrowedWorkspace workspace = plan.borrow_workspace(memory.data(), memory.bytes());
    std::memcpy(static_cast<char*>(memory.data()) + 4, &last_epoch, sizeof(last_epoch));
    device->set_schedule(hostile_schedule(seed));
    const auto input = test::make_data(problem, n, Data::random, seed);
    std::memcpy(in.data(), input.data(), input.size());
    plan.run(in.data(), out.data(), n, none, nullptr, workspace);
    const auto* bytes = static_cast<const std::byte*>(out.data());
    ASSERT_EQ(test::difference(problem.output, test::expected(problem, input, n, none), {bytes, out.bytes()}),
              std::nullopt)
        << "seed " << seed;
  }
}

// Where the tags of a kind of descriptor are.
struct Tagged {
  Problem problem;
  const char* schedule;
  const char* descriptor;
  std::size_t bytes;              // of a descriptor
  std::vector<std::size_t> tags;  // offsets of 32-bit words
};

std::vector<std::uint32_t> tags_of(const Tagged& kind, const void* workspace, std::uint64_t tile) {
  std::vector<std::uint32_t> tags(kind.tags.size());
  const char* const at = static_cast<const char*>(workspace) + WorkspaceRule::header_bytes + tile * kind.bytes;
  for (std::size_t i = 0; i < tags.size(); ++i) std::memcpy(&tags[i], at + kind.tags[i], 4);
  return tags;
}

// A descriptor that launches no longer reach must not keep its tags until the epoch comes round: each launch clears
// one.
TEST(Workspace, ForgetsTagsThatAreNotUsedAnyMore) {
  for (const Tagged& kind : {Tagged{affine(Algorithm::inclusive_scan, Type::u32), "lookback", "packed", 8, {4}},
                             Tagged{affine(Algorithm::inclusive_scan, Type::u64), "lookback", "packed", 16, {8}},
                             Tagged{affine(Algorithm::inclusive_scan, Type::u64), "chained", "split", 24, {0}},
                             Tagged{complex_sum(Algorithm::inclusive_scan), "all_aggregates", "packed", 32, {8, 24}},
                             Tagged{affine(Algorithm::reduce, Type::u32), "last_started", "packed", 8, {4}}}) {
    SCOPED_TRACE(to_string(kind.problem) + " " + kind.schedule + " " + kind.descriptor);
    const auto device = std::make_shared<runtime::HostDevice>();
    const auto engine = test::host_engine(device);
    Config config{kind.schedule, {{"descriptor", kind.descriptor}, {"threads_per_block", 32}, {"items_per_thread", 1}}};
    if (kind.problem.algorithm == Algorithm::reduce) config.values["blocks_per_multiprocessor"] = 8;
    const Plan plan = engine->plan(kind.problem, config, nullptr);
    const std::uint64_t n = 640, tiles = 20;  // a block each
    runtime::Buffer memory(*device, plan.workspace_bytes(n)), data(*device, n * size_of(kind.problem.input));
    const BorrowedWorkspace workspace = plan.borrow_workspace(memory.data(), memory.bytes());
    const auto run = [&](std::uint64_t items) {
      const Scalar none = identity(kind.problem.op, kind.problem.accumulator);
      plan.run(data.data(), data.data(), items, none, nullptr, workspace);
    };
    run(n);
    for (std::uint64_t tile = 0; tile < tiles; ++tile) {
      EXPECT_THAT(tags_of(kind, memory.data(), tile), testing::Each(testing::Ne(0u))) << "tile " << tile;
    }
    for (std::uint64_t launch = 0; launch < tiles; ++launch) run(64);
    for (std::uint64_t tile = 2; tile < tiles; ++tile) {
      EXPECT_THAT(tags_of(kind, memory.data(), tile), testing::Each(0u)) << "tile " << tile;
    }
  }
}

}  // namespace
}  // namespace upsweep
