// Watched binaries: what nothing orders is an error, in tame schedules, too, where it would come out right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/runtime/host/kernels.hpp"

namespace upsweep::runtime::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* no_barrier = "no barrier orders the two accesses";
constexpr const char* no_fence = "call fence_for_bulk_copies between the two accesses";

class HostWatch : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  // Two blocks of two warps. Thread 0 has initialised the barrier, for one arrival.
  static std::string error_of_statements(const std::string& statements, int cluster_blocks = 1) {
    return testing::error_of_statements({.text = statements,
                                         .before = "fence_barriers_for_bulk_copies();",
                                         .cluster_blocks = cluster_blocks,
                                         .accesses = HostCompiler::Accesses::watched},
                                        GetParam());
  }
};

constexpr const char* neighbours = R"(
  shared.words[thread] = u32(thread);
  {}
  out[thread] = shared.words[thread ^ {}];
  {}
  shared.words[thread] = 0;)";

TEST_P(HostWatch, ReadsBesideWrites) {
  const auto error = [](const char* before, int distance, const char* after) {
    return error_of_statements(fmt::format(fmt::runtime(neighbours), before, distance, after));
  };
  EXPECT_THAT(error("block_barrier();", 33, "block_barrier();"), IsEmpty());
  EXPECT_THAT(error("warp_barrier();", 5, "warp_barrier();"), IsEmpty());
  EXPECT_THAT(error("", 5, "warp_barrier();"), HasSubstr(no_barrier));
  EXPECT_THAT(error("warp_barrier();", 5, ""), HasSubstr(no_barrier));
  EXPECT_THAT(error("warp_barrier();", 32, "block_barrier();"), HasSubstr(no_barrier));
  EXPECT_THAT(error("warp_ballot(true);", 5, "warp_barrier();"), HasSubstr(no_barrier));
}

TEST_P(HostWatch, NeighbouringBytesAreNoConflict) {
  EXPECT_THAT(error_of_statements("shared.bytes[thread] = u8(thread);"), IsEmpty());
  EXPECT_THAT(error_of_statements("shared.bytes[thread / 2] = u8(thread);"),
              AllOf(HasSubstr("writes byte"), HasSubstr("wrote"), HasSubstr(no_barrier)));
}

TEST_P(HostWatch, SeveralReadersAreAllRemembered) {
  constexpr const char* broadcast = R"(
  if (thread == 0) shared.words[0] = 7;
  block_barrier();
  out[thread] = shared.words[0];
  if (thread < 63) warp_ballot(true); else warp_ballot(false);
  if (warp_index() == 0) {{ warp_barrier(); if (thread == 0) shared.words[0] = 8; }})";
  EXPECT_THAT(error_of_statements(fmt::format(fmt::runtime(broadcast))), HasSubstr(no_barrier));
}

TEST_P(HostWatch, PhasesOrderWhatCameBeforeArrivals) {
  constexpr const char* handed_on = R"(
  if (thread == 3) {{ shared.words[1] = 5; {} }}
  if (thread == 40) {{ wait_phase(barrier, 0); out[0] = shared.words[1]; }})";
  EXPECT_THAT(error_of_statements(fmt::format(fmt::runtime(handed_on), "arrive(barrier);")), IsEmpty());
  EXPECT_THAT(error_of_statements("if (thread == 3) { arrive(barrier); shared.words[1] = 5; }"
                                  "if (thread == 40) { wait_phase(barrier, 0); out[0] = shared.words[1]; }"),
              HasSubstr(no_barrier));
}

constexpr const char* refill = R"(
  if (thread < 32) {{
    {}
    warp_barrier();
    if (thread == 0) {{
      {}
      arrive_expecting(barrier, 64);
      bulk_load(shared.words, in, 64, barrier);
      wait_phase(barrier, 0);
      out[1] = shared.words[3];
    }}
  }})";

TEST_P(HostWatch, BulkLoadsOverWhatThreadsUsed) {
  const auto error = [](const char* lanes, const char* lane_0) {
    return error_of_statements(fmt::format(fmt::runtime(refill), lanes, lane_0));
  };
  constexpr const char* read = "shared.words[32 + thread] = shared.words[thread / 4];";
  constexpr const char* read_and_fence =
      "shared.words[32 + thread] = shared.words[thread / 4]; fence_for_bulk_copies();";
  EXPECT_THAT(error("fence_for_bulk_copies();", ""), IsEmpty());
  EXPECT_THAT(error(read, ""), AllOf(HasSubstr("begins a copy into byte 0"), HasSubstr("read"), HasSubstr(no_fence)));
  EXPECT_THAT(error("shared.words[thread] = 1;", ""), AllOf(HasSubstr("wrote"), HasSubstr(no_fence)));
  EXPECT_THAT(error(read_and_fence, ""), IsEmpty());
  EXPECT_THAT(error(read, "fence_for_bulk_copies();"), IsEmpty());
  EXPECT_THAT(error("fence_for_bulk_copies(); shared.words[32 + thread] = shared.words[thread / 4];", ""),
              HasSubstr(no_fence));
  EXPECT_THAT(error("if (thread > 0) fence_for_bulk_copies(); shared.words[thread] = 1;"
                    "if (thread == 0) fence_for_bulk_copies();",
                    ""),
              HasSubstr(no_fence));
}

TEST_P(HostWatch, ReadsOfCopiesThatNobodyWaitedFor) {
  EXPECT_THAT(error_of_statements("if (thread == 0) { arrive_expecting(barrier, 16);"
                                  "bulk_load(shared.words, in, 16, barrier); out[0] = shared.words[0];"
                                  "wait_phase(barrier, 0); }"),
              AllOf(HasSubstr("reads byte 0"), HasSubstr("a bulk load"), HasSubstr(no_barrier)));
  EXPECT_THAT(error_of_statements("if (thread == 0) { copy_async(shared.words, in); arrive_when_copied(barrier);"
                                  "out[0] = shared.words[0]; wait_phase(barrier, 0); }"),
              AllOf(HasSubstr("reads byte 0"), HasSubstr("an asynchronous copy of thread 0"), HasSubstr(no_barrier)));
  EXPECT_THAT(error_of_statements("if (thread == 0) { copy_async(shared.words, in); arrive_when_copied(barrier);"
                                  "wait_phase(barrier, 0); out[0] = shared.words[0]; }"),
              IsEmpty());
  EXPECT_THAT(error_of_statements("if (thread == 0) { copy_async(shared.words, in); out[0] = shared.words[0];"
                                  "await_async_copies(); }"),
              AllOf(HasSubstr("reads byte 0"), HasSubstr("an asynchronous copy of thread 0"), HasSubstr(no_barrier)));
  EXPECT_THAT(error_of_statements("if (thread == 0) { copy_async(shared.words, in); await_async_copies();"
                                  "out[0] = shared.words[0]; }"),
              IsEmpty());
  EXPECT_THAT(error_of_statements("if (thread == 0) copy_async(shared.words, in); await_async_copies();"
                                  "if (thread == 1) out[0] = shared.words[0];"),
              AllOf(HasSubstr("reads byte 0"), HasSubstr("an asynchronous copy of thread 0"), HasSubstr(no_barrier)))
      << "others see them beyond a barrier";
}

TEST_P(HostWatch, WritesOverWhatABulkStoreReads) {
  constexpr const char* stored = R"(
  if (thread == 0) {{
    shared.words[0] = 1;
    {}
    bulk_store(out, shared.words, 16);
    commit_bulk_stores();
    {}
    shared.words[0] = 2;
    wait_bulk_stores_read<0>();
  }})";
  const auto error = [](const char* before, const char* after) {
    return error_of_statements(fmt::format(fmt::runtime(stored), before, after));
  };
  EXPECT_THAT(error("fence_for_bulk_copies();", "wait_bulk_stores_read<0>();"), IsEmpty());
  EXPECT_THAT(error("fence_for_bulk_copies();", ""), AllOf(HasSubstr("a bulk store of thread 0"), HasSubstr("read")));
}

TEST_P(HostWatch, SharedMemoryOfAnotherBlock) {
  constexpr const char* given = R"(
  cluster_arrive();
  cluster_wait();  // all blocks are there
  if (thread == 0) *remote_shared(&shared.words[cluster_rank()], 1 - cluster_rank()) = 1;
  cluster_arrive();
  {}
  out[0] = shared.words[1 - cluster_rank()];
  {}
  )";
  EXPECT_THAT(error_of_statements(fmt::format(fmt::runtime(given), "cluster_wait();", ""), 2), IsEmpty());
  EXPECT_THAT(error_of_statements(fmt::format(fmt::runtime(given), "", "cluster_wait();"), 2), HasSubstr(no_barrier));
}

INSTANTIATE_TEST_SUITE_P(Seeds, HostWatch, ::testing::Values(0, 1, 2));

}  // namespace
}  // namespace upsweep::runtime::testing
