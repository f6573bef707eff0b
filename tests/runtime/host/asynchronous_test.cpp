// Phase barriers and the copies that go on by themselves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "tests/runtime/host/kernels.hpp"

namespace upsweep::runtime::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr std::uint64_t asynchronous_seeds = 50;

// Each block squares its tiles of 64 items in place, three stages deep: warp 0's first lane loads, warp 1 works and
// its first lane stores.
constexpr const char* pipeline = R"(
constexpr u32 items = 64;
constexpr u32 depth = 3;
struct alignas(128) Shared {
  u32 stage[depth][items];
  u32 result[depth][items];
  PhaseBarrier full[depth];
  PhaseBarrier empty[depth];
};
KERNEL {
  Shared& shared = dynamic_shared<Shared>();
  if (thread_index() == 0) {
    for (u32 stage = 0; stage < depth; ++stage) {
      init_barrier(&shared.full[stage], 1);
      init_barrier(&shared.empty[stage], 32);
    }
    fence_for_bulk_copies();
  }
  block_barrier();
  const u32 tiles = u32(n / items);
  u32 round = 0;
  for (u32 tile = block_index(); tile < tiles; tile += grid_size(), ++round) {
    const u32 stage = round % depth;
    const u32 parity = round / depth % 2;
    if (warp_index() == 0) {
      if (lane_index() != 0) continue;
      WAIT_EMPTY(&shared.empty[stage], parity ^ 1);
      arrive_expecting(&shared.full[stage], sizeof(shared.stage[stage]));
      bulk_load(shared.stage[stage], in + u64(tile) * items, items * 2, &shared.full[stage]);
      bulk_load_once(shared.stage[stage] + items / 2, in + u64(tile) * items + items / 2, items * 2,
                     &shared.full[stage]);
    } else {
      WAIT_FULL(&shared.full[stage], parity);
      const u32 a = shared.stage[stage][lane_index()];
      const u32 b = shared.stage[stage][lane_index() + 32];
      arrive(&shared.empty[stage]);
      if (lane_index() == 0) WAIT_READ;
      warp_barrier();
      shared.result[stage][lane_index()] = a * a;
      shared.result[stage][lane_index() + 32] = b * b;
      fence_for_bulk_copies();
      warp_barrier();
      if (lane_index() == 0) {
        bulk_store(out + u64(tile) * items, shared.result[stage], items * 2);
        bulk_store_once(out + u64(tile) * items + items / 2, shared.result[stage] + items / 2, items * 2);
        commit_bulk_stores();
      }
    }
  }
  if (thread_index() == 32) wait_bulk_stores_read<0>();
})";

std::string pipeline_with(const std::string& wait_empty, const std::string& wait_full, const std::string& wait_read) {
  return fmt::format("#define WAIT_EMPTY {}\n#define WAIT_FULL {}\n#define WAIT_READ {}\n{}", wait_empty, wait_full,
                     wait_read, pipeline);
}

constexpr Launch pipeline_launch{.blocks = 3, .threads_per_block = 64, .shared_bytes = 2048};

// Whether the result is right; an error is not.
bool squares(Bench& bench) {
  bench.in.resize(64 * 40);
  std::iota(bench.in.begin(), bench.in.end(), 7u);
  bench.out.assign(bench.in.size(), 0xdead);
  if (!error_of(bench, pipeline_launch).empty()) return false;
  for (std::size_t i = 0; i < bench.in.size(); ++i) {
    if (bench.out[i] != bench.in[i] * bench.in[i]) return false;
  }
  return true;
}

Seeds wrong_pipelines(const std::string& text) {
  Bench bench(text);
  return wrong_seeds(bench, asynchronous_seeds, [&](std::uint64_t) { return squares(bench); });
}

TEST(HostPipelines, RightOnesPassEverySchedule) {
  for (const char* wait : {"wait_phase", "poll_phase"}) {
    const std::string text = pipeline_with(wait, wait, "wait_bulk_stores_read<2>()");
    Bench bench(text);
    bench.in.assign(64 * 40, 0);
    bench.out.assign(64 * 40, 0);
    EXPECT_EQ(error_of(bench, pipeline_launch), "");
    EXPECT_THAT(wrong_pipelines(text), IsEmpty());
  }
}

TEST(HostPipelines, MissingWaitsAreCaught) {
  EXPECT_THAT(wrong_pipelines(pipeline_with("(void)", "wait_phase", "wait_bulk_stores_read<2>()")), Not(IsEmpty()));
  EXPECT_THAT(wrong_pipelines(pipeline_with("wait_phase", "(void)", "wait_bulk_stores_read<2>()")), Not(IsEmpty()));
  EXPECT_THAT(wrong_pipelines(pipeline_with("wait_phase", "wait_phase", "(void)0")), Not(IsEmpty()));
  EXPECT_THAT(wrong_pipelines(pipeline_with("wait_phase", "wait_phase", "wait_bulk_stores_read<3>()")), Not(IsEmpty()));
}

TEST(HostPipelines, TameSchedulesForgiveMissingWaits) {
  Bench bench(pipeline_with("wait_phase", "wait_phase", "(void)0"));
  EXPECT_TRUE(squares(bench));  // which is why there are late copies
}

TEST(HostPipelines, LateCopiesNeedNothingElseToBeHostile) {
  HostSchedule late;
  late.late_copies = true;
  Bench right(pipeline_with("wait_phase", "wait_phase", "wait_bulk_stores_read<2>()"));
  Bench wrong(pipeline_with("wait_phase", "(void)", "wait_bulk_stores_read<2>()"));
  for (Bench* const bench : {&right, &wrong}) bench->device().set_schedule(late);
  EXPECT_TRUE(squares(right));
  EXPECT_FALSE(squares(wrong));
}

// ---- asynchronous copies of 16 bytes

// Every thread copies 16 bytes twice; each stage ends with the arrivals of all threads.
constexpr const char* async_pipeline = R"(
struct alignas(16) Shared { u32 stage[2][256]; PhaseBarrier full[2]; };
KERNEL {
  Shared& shared = static_shared<Shared>();
  const u32 thread = thread_index();
  if (thread == 0) {
    init_barrier(&shared.full[0], 64);
    init_barrier(&shared.full[1], 64);
  }
  block_barrier();
  const u32 rounds = u32(n / 256);
  const auto begin = [&](u32 round) {
    copy_async(&shared.stage[round % 2][thread * 4], in + round * 256 + thread * 4);
    arrive_when_copied(&shared.full[round % 2]);
  };
  begin(0);
  for (u32 round = 0; round < rounds; ++round) {
    if (round + 1 < rounds) begin(round + 1);
    WAIT(&shared.full[round % 2], round / 2 % 2);
    for (u32 i = 0; i < 4; ++i) out[round * 256 + i * 64 + thread] = shared.stage[round % 2][255 - i * 64 - thread];
    block_barrier();
  }
})";

Seeds wrong_async_pipelines(const std::string& wait) {
  Bench bench(fmt::format("#define WAIT {}\n{}", wait, async_pipeline));
  bench.in.resize(256 * 9);
  std::iota(bench.in.begin(), bench.in.end(), 100u);
  std::vector<std::uint32_t> expected = bench.in;
  for (auto tile = expected.begin(); tile != expected.end(); tile += 256) std::reverse(tile, tile + 256);
  return wrong_seeds(bench, asynchronous_seeds, [&](std::uint64_t) {
    bench.out.assign(bench.in.size(), 0);
    return error_of(bench, {.blocks = 1, .threads_per_block = 64, .shared_bytes = 0}).empty() && bench.out == expected;
  });
}

TEST(HostAsyncCopies, ArriveWhenTheyHaveComeIn) {
  EXPECT_THAT(wrong_async_pipelines("wait_phase"), IsEmpty());
}

TEST(HostAsyncCopies, MissingWaitIsCaught) {
  EXPECT_THAT(wrong_async_pipelines("block_barrier(); (void)"), SizeIs(asynchronous_seeds));
}

// ---- bulk stores

// Another block sees what a bulk store wrote late, and the end of the launch sees all of it.
TEST(HostBulkStores, AreWrittenByTheEndOfTheLaunch) {
  Bench bench(R"(
struct alignas(16) Shared { u32 item[32]; };
KERNEL {
  Shared& shared = static_shared<Shared>();
  shared.item[thread_index()] = block_index() * 32 + thread_index();
  fence_for_bulk_copies();
  warp_barrier();
  if (thread_index() != 0) return;
  bulk_store(out + block_index() * 32, shared.item, 128);
  commit_bulk_stores();
  wait_bulk_stores_read<0>();
  out[32 * grid_size() + block_index()] = out[block_index() * 32 + 31];
})");
  std::vector<std::uint32_t> expected(40 * 32);
  std::iota(expected.begin(), expected.end(), 0u);
  int late = 0;
  for (std::uint64_t seed = 0; seed < asynchronous_seeds; ++seed) {
    bench.device().set_schedule(HostSchedule::hostile(seed));
    bench.out.assign(40 * 33, 0);
    bench.run({.blocks = 40, .threads_per_block = 32, .shared_bytes = 0});
    late += static_cast<int>(std::count(bench.out.begin() + 40 * 32, bench.out.end(), 0u));
    bench.out.resize(40 * 32);
    ASSERT_EQ(bench.out, expected) << seed;
  }
  EXPECT_GT(late, 0);
}

TEST(HostBulkStores, WaitingForNoGroupsIsNothing) {
  Bench bench(R"(
KERNEL {
  wait_bulk_stores_read<0>();
  commit_bulk_stores();
  wait_bulk_stores_read<3>();
  let_next_kernel_start();
  wait_for_previous_kernel();
})");
  EXPECT_EQ(error_of(bench, {.blocks = 2, .threads_per_block = 32, .shared_bytes = 0}), "");
}

}  // namespace
}  // namespace upsweep::runtime::testing
