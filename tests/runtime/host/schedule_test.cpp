// That hostile schedules show what is wrong, and that what is right passes them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "tests/runtime/host/kernels.hpp"

namespace upsweep::runtime::testing {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::uint32_t threads = 32;
constexpr std::uint32_t tiles = 12;
constexpr std::uint64_t seeds = 200;

// A chained scan: tile i waits for the inclusive prefix of tile i - 1, which lies beside its flag.
constexpr const char* chained_scan = R"(
constexpr int threads = 32;
constexpr u32 tiles = 12;
struct Workspace { u32 ticket; u32 flag[tiles]; u32 prefix[tiles]; };
struct Shared { u32 tile; u32 prefix; u32 sum[threads]; };
KERNEL {
  Shared& shared = static_shared<Shared>();
  const int thread = thread_index();
  if (thread == 0) shared.tile = TICKET;
  block_barrier();
  const u32 tile = shared.tile;
  const u64 at = u64(tile) * threads + thread;
  shared.sum[thread] = at < n ? in[at] : 0;
  block_barrier();
  for (int distance = 1; distance < threads; distance *= 2) {
    const u32 other = thread >= distance ? shared.sum[thread - distance] : 0;
    block_barrier();
    shared.sum[thread] += other;
    block_barrier();
  }
  if (thread == 0) {
    u32 before = 0;
    if (tile > 0) {
      while (OBSERVE(&workspace->flag[tile - 1]) == 0) wait_nanoseconds(20);
      before = load_relaxed(&workspace->prefix[tile - 1]);
    }
    store_relaxed(&workspace->prefix[tile], before + shared.sum[threads - 1]);
    PUBLISH(&workspace->flag[tile], 1u);
    shared.prefix = before;
  }
  block_barrier();
  if (at < n) out[at] = shared.prefix + shared.sum[thread];
})";

std::string scan_with(const std::string& publish, const std::string& observe,
                      const std::string& ticket = "add_relaxed(&workspace->ticket, 1)") {
  return fmt::format("#define PUBLISH {}\n#define OBSERVE {}\n#define TICKET {}\n{}", publish, observe, ticket,
                     chained_scan);
}

void prepare(Bench& bench, std::uint64_t seed) {
  bench.in.resize(threads * tiles - 5);
  for (std::size_t i = 0; i < bench.in.size(); ++i) bench.in[i] = static_cast<std::uint32_t>(i * i + seed);
  bench.out.assign(bench.in.size(), 0xdead);
  bench.workspace.assign(1 + 2 * tiles, 0);
}

constexpr Launch scan_launch{.blocks = tiles, .threads_per_block = static_cast<int>(threads), .shared_bytes = 0};

bool scans_right(Bench& bench) {
  std::vector<std::uint32_t> expected(bench.in.size());
  std::partial_sum(bench.in.begin(), bench.in.end(), expected.begin());
  return bench.out == expected;
}

Seeds wrong_scans(const std::string& publish, const std::string& observe, std::uint64_t count = seeds) {
  Bench bench(scan_with(publish, observe));
  return wrong_seeds(bench, count, [&](std::uint64_t seed) {
    prepare(bench, seed);
    bench.run(scan_launch);
    return scans_right(bench);
  });
}

TEST(HostSchedules, ChainedScanPassesHostileSeeds) {
  EXPECT_THAT(wrong_scans("store_release", "load_acquire", 5 * seeds), IsEmpty());
}

TEST(HostSchedules, MissingReleaseAndMissingAcquireAreCaught) {
  EXPECT_THAT(wrong_scans("store_relaxed", "load_acquire"), Not(IsEmpty()));
  EXPECT_THAT(wrong_scans("store_release", "load_relaxed"), Not(IsEmpty()));
}

TEST(HostSchedules, MissingOrderGoesUnnoticedInATameSchedule) {
  Bench bench(scan_with("store_relaxed", "load_relaxed"));
  prepare(bench, 0);
  bench.run(scan_launch);
  EXPECT_TRUE(scans_right(bench));  // which is why there are hostile ones
}

TEST(HostSchedules, WaitingInBlockOrderIsCaught) {
  Bench bench(scan_with("store_release", "load_acquire", "block_index()"));
  int stuck = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    prepare(bench, seed);
    HostSchedule schedule = HostSchedule::hostile(seed);
    schedule.resident_blocks = 2;
    schedule.poll_limit = 20'000;
    bench.device().set_schedule(schedule);
    const std::string error = error_of(bench, scan_launch);
    if (error.empty()) continue;
    ++stuck;
    EXPECT_THAT(error, AllOf(HasSubstr("no progress"), HasSubstr("31 block_barrier"), HasSubstr("1 running"))) << seed;
  }
  EXPECT_GT(stuck, 0);
}

TEST(HostSchedules, DeviceWorksAfterAStuckLaunch) {
  Bench bench(scan_with("store_release", "load_acquire"));
  prepare(bench, 0);
  bench.workspace[0] = 1;  // the first tile is never claimed
  HostSchedule schedule;
  schedule.poll_limit = 1000;
  bench.device().set_schedule(schedule);
  EXPECT_THAT(error_of(bench, scan_launch), HasSubstr("no progress"));
  prepare(bench, 0);
  bench.run(scan_launch);
  EXPECT_TRUE(scans_right(bench));
}

TEST(HostSchedules, ASeedFixesTheSchedule) {
  Bench bench(R"(
struct Workspace { u32 ticket; };
KERNEL {
  out[add_relaxed(&workspace->ticket, 1)] = block_index() * 1000 + thread_index();
})");
  const auto order = [&](std::uint64_t seed, int launches) {
    bench.device().set_schedule(HostSchedule::hostile(seed));
    for (int launch = 0; launch < launches; ++launch) {
      bench.workspace.assign(1, 0);
      bench.out.assign(640, 0);
      bench.run({.blocks = 10, .threads_per_block = 64, .shared_bytes = 0});
    }
    return bench.out;
  };
  EXPECT_EQ(order(1, 1), order(1, 1));
  EXPECT_NE(order(1, 1), order(2, 1));
  EXPECT_NE(order(1, 1), order(1, 2));  // each launch differs
}

TEST(HostSchedules, BlocksStartInAnyOrderAndEachOnce) {
  Bench bench(R"(
struct Workspace { u32 ticket; };
KERNEL {
  if (thread_index() == 0) out[add_relaxed(&workspace->ticket, 1)] = block_index();
})");
  std::vector<std::uint32_t> in_order(3000);
  std::iota(in_order.begin(), in_order.end(), 0u);
  const auto run = [&](const HostSchedule& schedule) {
    bench.device().set_schedule(schedule);
    bench.workspace.assign(1, 0);
    bench.out.assign(in_order.size(), 0);
    bench.run({.blocks = in_order.size(), .threads_per_block = 32, .shared_bytes = 0});
  };
  run(HostSchedule{});
  EXPECT_EQ(bench.out, in_order);
  HostSchedule random;
  random.random_blocks = true;
  run(random);
  EXPECT_NE(bench.out, in_order);
  EXPECT_GT(*std::max_element(bench.out.begin(), bench.out.begin() + 30), 1000u);
  std::sort(bench.out.begin(), bench.out.end());
  EXPECT_EQ(bench.out, in_order);
}

// Lane 0 acquires; the other lanes read the data after ORDER.
constexpr const char* acquired_by_one_lane = R"(
struct Workspace { u32 data; u32 flag; };
KERNEL {
  if (block_index() == 0) {
    if (thread_index() != 0) return;
    store_relaxed(&workspace->data, 42u);
    store_release(&workspace->flag, 1u);
    return;
  }
  u32 seen = 0;
  if (thread_index() == 0) seen = load_acquire(&workspace->flag);
  ORDER;
  seen = shuffle(seen, 0);
  out[thread_index()] = seen == 0 ? 42u : load_relaxed(&workspace->data);
})";

Seeds wrong_after(const std::string& order) {
  Bench bench(fmt::format("#define ORDER {}\n{}", order, acquired_by_one_lane));
  return wrong_seeds(bench, 2 * seeds, [&](std::uint64_t) {
    bench.workspace.assign(2, 0);
    bench.out.assign(32, 0);
    bench.run({.blocks = 2, .threads_per_block = 32, .shared_bytes = 0});
    return bench.out == std::vector<std::uint32_t>(32, 42);
  });
}

TEST(HostSchedules, BarriersHandOnWhatALaneAcquiredAndExchangesDoNot) {
  for (const char* barrier : {"warp_barrier()", "block_barrier()"})
    EXPECT_THAT(wrong_after(barrier), IsEmpty()) << barrier;
  for (const char* none : {"(void)0", "(void)warp_ballot(true)"})
    EXPECT_THAT(wrong_after(none), Not(IsEmpty())) << none;
}

// Every block stores its partial; the last one to count up adds all.
constexpr const char* last_block_reduces = R"(
struct Workspace { u32 done; u32 partial[12]; };
KERNEL {
  if (thread_index() != 0) return;
  store_relaxed(&workspace->partial[block_index()], block_index() + 1);
  if (COUNT(&workspace->done, 1u) != grid_size() - 1) return;
  u32 sum = 0;
  for (u32 block = 0; block < grid_size(); ++block) sum += load_relaxed(&workspace->partial[block]);
  out[0] = sum;
})";

Seeds wrong_last_block(const std::string& count) {
  Bench bench(fmt::format("#define COUNT {}\n{}", count, last_block_reduces));
  return wrong_seeds(bench, seeds, [&](std::uint64_t) {
    bench.workspace.assign(13, 0);
    bench.out.assign(1, 0);
    bench.run({.blocks = 12, .threads_per_block = 32, .shared_bytes = 0});
    return bench.out[0] == 78;
  });
}

TEST(HostSchedules, AddersContinueEachOthersReleaseAndRelaxedOnesDoNot) {
  EXPECT_THAT(wrong_last_block("add_acquire_release"), IsEmpty());
  EXPECT_THAT(wrong_last_block("add_relaxed"), Not(IsEmpty()));
}

}  // namespace
}  // namespace upsweep::runtime::testing
