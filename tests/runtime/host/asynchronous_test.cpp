// Phase barriers and the copies that go on by themselves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include <fmt/format.h>

#include "tests/runtime/host/kernels.hpp"

namespace upsweep::runtime::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::uint64_t seeds = 50;

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
struct Workspace;
extern "C" __global__ void upsweep_kernel(const Input* in, Output* out, u64 n, Accumulator, Workspace*) {
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

KernelText pipeline_with(const std::string& wait_empty, const std::string& wait_full, const std::string& wait_read) {
  return {.body = fmt::format("#define WAIT_EMPTY {}\n#define WAIT_FULL {}\n#define WAIT_READ {}\n{}", wait_empty,
                              wait_full, wait_read, pipeline)};
}

constexpr Launch pipeline_launch{.blocks = 3, .threads_per_block = 64, .shared_bytes = 2048};

// Whether the result is right; an error is not.
bool squares(Bench& bench, const HostSchedule& schedule) {
  bench.device().set_schedule(schedule);
  bench.in.resize(64 * 40);
  std::iota(bench.in.begin(), bench.in.end(), 7u);
  bench.out.assign(bench.in.size(), 0xdead);
  if (!error_of(bench, pipeline_launch).empty()) return false;
  for (std::size_t i = 0; i < bench.in.size(); ++i) {
    if (bench.out[i] != bench.in[i] * bench.in[i]) return false;
  }
  return true;
}

int wrong_pipelines(const KernelText& text) {
  Bench bench(text);
  int wrong = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) wrong += squares(bench, HostSchedule::hostile(seed)) ? 0 : 1;
  return wrong;
}

TEST(HostPipelines, RightOnesPassEverySchedule) {
  for (const char* wait : {"wait_phase", "poll_phase"}) {
    const KernelText text = pipeline_with(wait, wait, "wait_bulk_stores_read<2>()");
    Bench bench(text);
    bench.in.assign(64 * 40, 0);
    bench.out.assign(64 * 40, 0);
    EXPECT_EQ(error_of(bench, pipeline_launch), "");
    EXPECT_TRUE(squares(bench, HostSchedule{}));
    EXPECT_EQ(wrong_pipelines(text), 0);
  }
}

TEST(HostPipelines, MissingWaitsAreCaught) {
  EXPECT_GT(wrong_pipelines(pipeline_with("(void)", "wait_phase", "wait_bulk_stores_read<2>()")), 0);
  EXPECT_GT(wrong_pipelines(pipeline_with("wait_phase", "(void)", "wait_bulk_stores_read<2>()")), 0);
  EXPECT_GT(wrong_pipelines(pipeline_with("wait_phase", "wait_phase", "(void)0")), 0);
  EXPECT_GT(wrong_pipelines(pipeline_with("wait_phase", "wait_phase", "wait_bulk_stores_read<3>()")), 0);
}

}  // namespace
}  // namespace upsweep::runtime::testing
