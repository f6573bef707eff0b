// Phase barriers: what they order and count, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/runtime/host/kernels.hpp"

namespace upsweep::runtime::testing {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr Launch two_warps{.blocks = 2, .threads_per_block = 64, .shared_bytes = 2048};

class HostPhaseBarriers : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  // One barrier, made by thread 0 for `arrivals`, then the statements.
  static std::string error_of_statements(const std::string& statements, const std::string& arrivals = "1") {
    return testing::error_of_statements({.text = statements, .arrivals = arrivals, .shared_bytes = 2048}, GetParam());
  }
};

TEST_P(HostPhaseBarriers, EndWithTheLastArrival) {
  Bench bench(R"(
struct Shared { PhaseBarrier ready[2]; u32 item[64]; };
KERNEL {
  Shared& shared = static_shared<Shared>();
  const u32 thread = thread_index();
  if (thread == 40) {
    init_barrier(&shared.ready[0], 64);
    init_barrier(&shared.ready[1], 64);
  }
  block_barrier();
  wait_phase(&shared.ready[0], 1);  // the phase before the first has ended
  u32 item = thread + block_index();
  for (u32 round = 0; round < initial; ++round) {
    shared.item[thread] = item;
    arrive(&shared.ready[0]);
    wait_phase(&shared.ready[0], round % 2);
    item += shared.item[(thread + 33) % 64];
    arrive(&shared.ready[1]);
    if (thread % 3 == 0) {
      poll_phase(&shared.ready[1], round % 2);
    } else {
      wait_phase(&shared.ready[1], round % 2);
    }
  }
  out[block_index() * 64 + thread] = item;
})");
  bench.initial = 9;
  bench.device().set_schedule(schedule_of(GetParam()));
  bench.out.assign(128, 0);
  bench.run(two_warps);
  for (std::uint32_t block = 0; block < 2; ++block) {
    std::vector<std::uint32_t> item(64);
    for (std::uint32_t i = 0; i < 64; ++i) item[i] = i + block;
    for (int round = 0; round < 9; ++round) {
      const std::vector<std::uint32_t> before = item;
      for (std::uint32_t i = 0; i < 64; ++i) item[i] += before[(i + 33) % 64];
    }
    EXPECT_EQ(std::vector<std::uint32_t>(bench.out.begin() + block * 64, bench.out.begin() + block * 64 + 64), item);
  }
}

// Bytes may come in before they are announced, and arrivals alone do not end the phase.
TEST_P(HostPhaseBarriers, CountBytesEitherWay) {
  EXPECT_EQ(error_of_statements(R"(
  if (thread == 0) {
    fence_for_bulk_copies();
    bulk_load(shared.words, in, 256, barrier);
    arrive_expecting(barrier, 256);
  }
  arrive(barrier);
  wait_phase(barrier, 0);
  if (shared.words[thread] != 0) for (;;) wait_nanoseconds(1);)",
                                "65"),
            "");
}

TEST_P(HostPhaseBarriers, SayWhereAllStandWhenStuck) {
  EXPECT_THAT(
      error_of_statements("if (thread > 2) wait_phase(barrier, 0); else arrive(barrier);", "5"),
      AllOf(HasSubstr("deadlock: no thread can run"), HasSubstr("61 wait_phase 3 exited"),
            HasSubstr("61 waiting for phase 0 of the mbarrier at byte 256, which lacks 2 of 5 arrivals and 0 bytes")));
  EXPECT_THAT(error_of_statements("arrive_expecting(barrier, 32); wait_phase(barrier, 0);", "64"),
              AllOf(HasSubstr("deadlock"), HasSubstr("lacks 0 of 64 arrivals and 2048 bytes")));
  EXPECT_THAT(error_of_statements("if (thread == 7) wait_phase(barrier, 0); else block_barrier();"),
              AllOf(HasSubstr("deadlock"), HasSubstr("63 block_barrier 1 wait_phase")));
  EXPECT_THAT(error_of_statements("if (thread == 7) while (load_relaxed(&workspace->word) == 0) {} "
                                  "else wait_phase(barrier, 0);"),
              AllOf(HasSubstr("no progress"), HasSubstr("1 running 63 wait_phase")));
}

TEST_P(HostPhaseBarriers, TooManyArrivalsAreRefused) {
  EXPECT_THAT(error_of_statements("if (thread == 0) { arrive_expecting(barrier, 16); arrive(barrier); }"),
              AllOf(HasSubstr("was initialised for 1 arrivals and has them all"),
                    HasSubstr("phase 0 waits only for 16 more bytes")));
}

TEST_P(HostPhaseBarriers, GarbageIsNoBarrier) {
  EXPECT_THAT(error_of_statements("wait_phase(&shared.other, 0);"), HasSubstr("was never initialised"));
  EXPECT_THAT(error_of_statements("arrive(&shared.other);"), HasSubstr("was never initialised"));
  EXPECT_THAT(error_of_statements("shared.other = shared.barrier; arrive(&shared.other);"),
              HasSubstr("was never initialised"));
  EXPECT_THAT(error_of_statements("if (thread == 0) { barrier->word = 0; arrive(barrier); }"),
              HasSubstr("was overwritten after init_barrier"));
}

TEST_P(HostPhaseBarriers, AreInitialisedOnceAndInTheirPlace) {
  EXPECT_THAT(error_of_statements("if (thread == 1) init_barrier(barrier, 1);"),
              HasSubstr("initialises an mbarrier that is already initialised"));
  EXPECT_THAT(error_of_statements("init_barrier(reinterpret_cast<PhaseBarrier*>(shared.words + 1), 1);"),
              HasSubstr("not a multiple of 8"));
  EXPECT_THAT(error_of_statements("init_barrier(reinterpret_cast<PhaseBarrier*>(workspace), 1);"),
              HasSubstr("does not lie in the shared memory of its block"));
  EXPECT_THAT(error_of_statements("PhaseBarrier mine; init_barrier(&mine, 1);"),
              HasSubstr("does not lie in the shared memory of its block"));
  EXPECT_THAT(
      error_of_statements("init_barrier(reinterpret_cast<PhaseBarrier*>(reinterpret_cast<char*>(&shared) + 2044), 1);"),
      HasSubstr("does not lie in the shared memory of its block"));
  for (const char* arrivals : {"0", "1 << 20"}) {
    EXPECT_THAT(error_of_statements("", arrivals), HasSubstr("use 1 to 1048575 arrivals"));
  }
}

TEST_P(HostPhaseBarriers, LimitsAreKept) {
  EXPECT_THAT(error_of_statements("if (thread == 0) arrive_expecting(barrier, 1 << 20);"),
              HasSubstr("brings the byte count of an mbarrier to 1048576"));
  EXPECT_THAT(error_of_statements("wait_phase(barrier, 2);"), HasSubstr("parity 2: use parity 0 or 1"));
}

TEST_P(HostPhaseBarriers, BytesThatNeverComeInAreNoticedAtTheEnd) {
  EXPECT_THAT(error_of_statements("if (thread == 0) arrive_expecting(barrier, 48);"),
              AllOf(HasSubstr("the last thread of its block"), HasSubstr("waits for 48 bytes")));
}

INSTANTIATE_TEST_SUITE_P(Seeds, HostPhaseBarriers, ::testing::Values(0, 1, 2, 3));

// A thread that waits must be waited for: two phases that end before it looks are taken for none.
TEST(HostPhases, MissedPhaseIsCaught) {
  Bench bench(R"(
struct Shared { PhaseBarrier barrier; };
KERNEL {
  Shared& shared = static_shared<Shared>();
  if (thread_index() == 0) init_barrier(&shared.barrier, 1);
  block_barrier();
  if (thread_index() == 1) wait_phase(&shared.barrier, 0);
  if (thread_index() == 2) {
    arrive(&shared.barrier);
    arrive(&shared.barrier);
  }
})");
  int missed = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    bench.device().set_schedule(HostSchedule::hostile(seed));
    const std::string error = error_of(bench, two_warps);
    if (error.empty()) continue;
    ++missed;
    EXPECT_THAT(error, ::testing::AnyOf(HasSubstr("was still waiting for phase 0 of an mbarrier when phase 1 ended"),
                                        HasSubstr("deadlock")));
  }
  EXPECT_GT(missed, 0);
}

// Thread 0 acquires from the other block and arrives; thread 40 waits and reads.
TEST(HostPhases, HandOnWhatWasAcquired) {
  const auto wrong_with = [](const std::string& order) {
    Bench bench(fmt::format("#define ORDER {}\n", order) + R"(
struct Shared { PhaseBarrier barrier; u32 seen; };
struct Workspace { u32 data; u32 flag; };
KERNEL {
  Shared& shared = static_shared<Shared>();
  if (block_index() == 0) {
    if (thread_index() != 0) return;
    store_relaxed(&workspace->data, 42u);
    store_release(&workspace->flag, 1u);
    return;
  }
  if (thread_index() == 0) {
    init_barrier(&shared.barrier, 1);
    shared.seen = 2;
  }
  block_barrier();
  if (thread_index() == 0) {
    shared.seen = load_acquire(&workspace->flag);
    arrive(&shared.barrier);
  }
  if (thread_index() != 40) return;
  ORDER;
  out[0] = shared.seen == 1 ? load_relaxed(&workspace->data) : 42u;
})");
    return wrong_seeds(bench, 400, [&](std::uint64_t) {
      bench.workspace.assign(2, 0);
      bench.out.assign(1, 0);
      bench.run(two_warps);
      return bench.out[0] == 42;
    });
  };
  EXPECT_THAT(wrong_with("wait_phase(&shared.barrier, 0)"), IsEmpty());
  EXPECT_THAT(wrong_with("while (*const_cast<volatile u32*>(&shared.seen) == 2) wait_nanoseconds(1)"), Not(IsEmpty()));
}

}  // namespace
}  // namespace upsweep::runtime::testing
