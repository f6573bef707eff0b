// Blocks that run at the same time: clusters and cooperative launches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "tests/runtime/host/kernels.hpp"

namespace upsweep::runtime::testing {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Launch clusters_of(int cluster_blocks, std::uint64_t blocks, int threads = 64) {
  return {.blocks = blocks, .threads_per_block = threads, .shared_bytes = 1024, .cluster_blocks = cluster_blocks};
}

// Every block adds up what the blocks of its cluster wrote to their own shared memory.
constexpr const char* cluster_sum = R"(
struct Shared { u32 item[64]; };
struct Workspace { u32 blocks; };
KERNEL {
  Shared& fixed = static_shared<Shared>();
  Shared& given = dynamic_shared<Shared>();
  const u32 thread = thread_index();
  const u32 at = block_index() * 64 + thread;
  fixed.item[thread] = in[at];
  given.item[63 - thread] = in[at] * 3;
  FIRST;
  u32 sum = cluster_rank() << 24;
  for (u32 rank = 0; rank < initial; ++rank) {
    sum += remote_shared(&fixed.item[thread], rank)[0] + remote_shared(&given, rank)->item[63 - thread];
  }
  LAST;
  out[at] = sum;
})";

std::string cluster_sum_with(const std::string& first, const std::string& last) {
  return fmt::format("#define FIRST {}\n#define LAST {}\n{}", first, last, cluster_sum);
}

constexpr const char* whole_barrier = "cluster_arrive(); cluster_wait()";

bool sums_right(Bench& bench, std::uint32_t cluster_blocks) {
  constexpr std::uint32_t blocks = 16;
  bench.initial = cluster_blocks;
  bench.in.resize(blocks * 64);
  std::iota(bench.in.begin(), bench.in.end(), 5u);
  bench.out.assign(bench.in.size(), 0);
  bench.run(clusters_of(static_cast<int>(cluster_blocks), blocks));
  for (std::uint32_t at = 0; at < blocks * 64; ++at) {
    const std::uint32_t block = at / 64, rank = block % cluster_blocks;
    std::uint32_t expected = rank << 24;
    for (std::uint32_t other = block - rank; other < block - rank + cluster_blocks; ++other) {
      expected += bench.in[other * 64 + at % 64] * 4;
    }
    if (bench.out[at] != expected) return false;
  }
  return true;
}

TEST(HostClusters, ExchangeThroughSharedMemory) {
  Bench bench(cluster_sum_with(whole_barrier, whole_barrier));
  for (const std::uint32_t cluster_blocks : {1u, 2u, 4u, 8u, 16u}) {
    const auto right = [&](std::uint64_t) { return sums_right(bench, cluster_blocks); };
    ASSERT_THAT(wrong_seeds(bench, 51, right), IsEmpty()) << cluster_blocks;
  }
}

TEST(HostClusters, MissingBarriersAreCaught) {
  const std::string met_too_soon =
      fmt::format("fixed.item[thread] = 0; {}; fixed.item[thread] = in[at]", whole_barrier);
  for (const std::string& text :
       {cluster_sum_with(whole_barrier, "block_barrier()"), cluster_sum_with(met_too_soon, whole_barrier)}) {
    Bench bench(text);
    EXPECT_THAT(wrong_seeds(bench, 50, [&](std::uint64_t) { return sums_right(bench, 4); }), Not(IsEmpty())) << text;
  }
}

TEST(HostClusters, BarriersRepeatAndHandOnWhatWasAcquired) {
  Bench bench(R"(
struct Workspace { u32 data; u32 flag; };
KERNEL {
  for (u32 round = 1; round < 9; ++round) {
    if (cluster_rank() == round % 4 && thread_index() == int(round)) store_relaxed(&workspace->data, round);
    cluster_arrive();
    u32 unrelated = warp_ballot(true);
    cluster_wait();
    if (load_relaxed(&workspace->data) != round) out[block_index()] = 1;
    cluster_arrive();
    cluster_wait();
  }
})");
  const auto right = [&](std::uint64_t) {
    bench.workspace.assign(2, 0);
    bench.out.assign(4, 0);
    bench.run(clusters_of(4, 4));
    return bench.out == std::vector<std::uint32_t>(4, 0);
  };
  EXPECT_THAT(wrong_seeds(bench, 100, right), IsEmpty());
}

TEST(HostClusters, RunEachBlockOnceInClusters) {
  Bench bench(R"(
struct Workspace { u32 ticket; };
KERNEL {
  if (thread_index() == 0) out[add_relaxed(&workspace->ticket, 1)] = block_index();
  cluster_arrive();
  cluster_wait();
})");
  std::vector<std::uint32_t> in_order(64);
  std::iota(in_order.begin(), in_order.end(), 0u);
  HostSchedule random;
  random.random_blocks = true;
  for (const HostSchedule& schedule : {HostSchedule{}, random, HostSchedule::hostile(4)}) {
    for (const int cluster_blocks : {1, 8}) {
      bench.device().set_schedule(schedule);
      bench.workspace.assign(1, 0);
      bench.out.assign(64, 0);
      bench.run(clusters_of(cluster_blocks, 64, 32));
      EXPECT_EQ(bench.out == in_order, schedule == HostSchedule{});
      std::sort(bench.out.begin(), bench.out.end());
      EXPECT_EQ(bench.out, in_order);
    }
  }
}

TEST(HostClusters, SharedMemoryEndsWithItsBlock) {
  Bench bench(R"(
struct Shared { u32 item; };
struct Workspace { u32 done; };
KERNEL {
  Shared& shared = dynamic_shared<Shared>();
  shared.item = 42;
  cluster_arrive();
  cluster_wait();
  if (cluster_rank() == 1) return;
  for (int wait = 0; wait < 2000; ++wait) wait_nanoseconds(1);
  if (thread_index() == 0) out[0] = remote_shared(&shared, 1)->item;
})");
  bench.out.assign(1, 0);
  bench.device().set_schedule(HostSchedule::hostile(1));
  bench.run(clusters_of(2, 2));
  EXPECT_NE(bench.out[0], 42u);
}

// ---- what no device allows

class HostClusterMistakes : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  static std::string error_of_statements(const std::string& statements, int cluster_blocks = 2) {
    return testing::error_of_statements({.text = statements, .cluster_blocks = cluster_blocks}, GetParam());
  }
};

TEST_P(HostClusterMistakes, ArrivingAndWaitingOutOfTurn) {
  EXPECT_THAT(error_of_statements("cluster_arrive(); cluster_arrive();"), HasSubstr("cluster_arrive twice"));
  EXPECT_THAT(error_of_statements("cluster_wait();"), HasSubstr("cluster_wait without a cluster_arrive"));
  EXPECT_THAT(error_of_statements("if (lane_index() < 5) cluster_arrive(); else warp_barrier();"),
              AllOf(HasSubstr("the warp diverged"), HasSubstr("cluster_arrive")));
  EXPECT_THAT(error_of_statements("cluster_arrive(); if (lane_index() < 5) cluster_wait(); else warp_barrier();"),
              AllOf(HasSubstr("the warp diverged"), HasSubstr("cluster_wait")));
}

TEST_P(HostClusterMistakes, ExitedWhileOthersTakePart) {
  EXPECT_THAT(
      error_of_statements("if (warp_index() == 1 && cluster_rank() == 1) return; cluster_arrive(); cluster_wait();"),
      AllOf(HasSubstr("exited"), HasSubstr("cluster_arrive")));
  EXPECT_THAT(error_of_statements("cluster_arrive();"), HasSubstr("exited between cluster_arrive and cluster_wait"));
  EXPECT_THAT(error_of_statements("if (warp_index() == 1) return; cluster_arrive(); cluster_wait();", 1),
              AllOf(HasSubstr("exited"), HasSubstr("cluster_arrive")));
}

TEST_P(HostClusterMistakes, StuckOnesSayWhereTheyStand) {
  EXPECT_THAT(
      error_of_statements("if (cluster_rank() == 0) { cluster_arrive(); cluster_wait(); } else block_barrier();"
                          "if (cluster_rank() == 1) { if (warp_index() == 0) block_barrier(); else {"
                          "cluster_arrive(); cluster_wait(); } }"),
      AllOf(HasSubstr("deadlock"), HasSubstr("64 cluster_wait"), HasSubstr("32 block_barrier 32 cluster_wait")));
}

TEST_P(HostClusterMistakes, RemoteMemoryThatIsNotThere) {
  EXPECT_THAT(error_of_statements("out[0] = *remote_shared(&shared.words[0], 2);"),
              HasSubstr("calls remote_shared for block 2 in a cluster of 2 blocks"));
  EXPECT_THAT(error_of_statements("out[0] = *remote_shared(&workspace->word, 0);"),
              HasSubstr("outside the shared memory of its block"));
  EXPECT_THAT(error_of_statements("cluster_arrive(); cluster_wait();"
                                  "out[0] = *remote_shared(remote_shared(&shared.words[0], cluster_rank() ^ 1), 0);"),
              HasSubstr("outside the shared memory of its block"));
}

TEST_P(HostClusterMistakes, RemoteMemoryOfBlocksThatMayNotHaveStarted) {
  EXPECT_THAT(error_of_statements("*remote_shared(&shared.words[0], cluster_rank() ^ 1) = 1;"),
              AllOf(HasSubstr("which may not have started"), HasSubstr("cluster_arrive and cluster_wait")));
  EXPECT_THAT(error_of_statements("*remote_shared(&shared.words[0], cluster_rank()) = 1;"), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Seeds, HostClusterMistakes, ::testing::Values(0, 1, 2));

TEST(HostClusters, ImpossibleLaunchesAreRefused) {
  Bench bench(R"(
KERNEL {})");
  for (const int cluster_blocks : {-2, 0, 3, 12, 32}) {
    EXPECT_THAT(
        error_of(bench, clusters_of(cluster_blocks, 96)),
        HasSubstr(fmt::format("clusters of {} blocks: on the host device, use a power of 2 up to 16", cluster_blocks)));
  }
  EXPECT_THAT(error_of(bench, clusters_of(8, 12)), HasSubstr("12 blocks in clusters of 8"));
  EXPECT_EQ(error_of(bench, clusters_of(16, 32)), "");
  Launch cooperative = clusters_of(1, 129, 32);
  EXPECT_EQ(error_of(bench, cooperative), "");
  cooperative.cooperative = true;
  EXPECT_THAT(error_of(bench, cooperative), AllOf(HasSubstr("129 blocks"), HasSubstr("the host device can run 128")));
}

// All blocks wait for all: only where every one is resident does this end.
TEST(HostCooperative, BlocksAllRunAtOnce) {
  Bench bench(R"(
struct Workspace { u32 arrived; };
KERNEL {
  if (thread_index() != 0) return;
  add_acquire_release(&workspace->arrived, 1);
  while (load_acquire(&workspace->arrived) != grid_size()) wait_nanoseconds(20);
  out[block_index()] = 1;
})");
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    HostSchedule schedule = schedule_of(seed);
    schedule.poll_limit = 20'000;
    bench.device().set_schedule(schedule);
    Launch launch{.blocks = 40, .threads_per_block = 32, .shared_bytes = 0};
    bench.workspace.assign(1, 0);
    bench.out.assign(40, 0);
    EXPECT_THAT(error_of(bench, launch), HasSubstr("no progress"));
    launch.cooperative = true;
    bench.workspace.assign(1, 0);
    EXPECT_EQ(error_of(bench, launch), "");
    EXPECT_THAT(bench.out, Each(1));
  }
}

}  // namespace
}  // namespace upsweep::runtime::testing
