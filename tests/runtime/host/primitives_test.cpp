#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "tests/runtime/host/kernels.hpp"

namespace upsweep::runtime::testing {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

std::vector<HostSchedule> schedules() {
  return {schedule_of(0), schedule_of(1), schedule_of(2)};
}

TEST(HostPrimitives, EveryThreadKnowsWhereItStands) {
  Bench bench(R"(
KERNEL {
  Output* mine = out + (block_index() * 96 + thread_index()) * 5;
  mine[0] = thread_index();
  mine[1] = lane_index();
  mine[2] = warp_index();
  mine[3] = grid_size();
  mine[4] = initial;
})");
  bench.initial = 77;
  for (const HostSchedule& schedule : schedules()) {
    bench.out.assign(9 * 96 * 5, 0xdead);
    bench.device().set_schedule(schedule);
    bench.run({.blocks = 9, .threads_per_block = 96, .shared_bytes = 0});
    for (std::uint32_t at = 0; at < 9 * 96; ++at) {
      const std::uint32_t thread = at % 96;
      const std::vector<std::uint32_t> got(bench.out.begin() + at * 5, bench.out.begin() + at * 5 + 5);
      ASSERT_EQ(got, (std::vector<std::uint32_t>{thread, thread % 32, thread / 32, 9, 77})) << at;
    }
  }
}

struct Exchange {
  const char* call;
  std::uint32_t (*source)(std::uint32_t lane);  // the lane whose value each lane gets
};

const std::vector<Exchange>& exchanges() {
  static const std::vector<Exchange> all{
      {"shuffle_up(value, 0)", [](std::uint32_t lane) { return lane; }},
      {"shuffle_up(value, 1)", [](std::uint32_t lane) { return lane < 1 ? lane : lane - 1; }},
      {"shuffle_up(value, 16)", [](std::uint32_t lane) { return lane < 16 ? lane : lane - 16; }},
      {"shuffle_down(value, 1)", [](std::uint32_t lane) { return lane > 30 ? lane : lane + 1; }},
      {"shuffle_down(value, 8)", [](std::uint32_t lane) { return lane > 23 ? lane : lane + 8; }},
      {"shuffle(value, 31)", [](std::uint32_t) { return 31u; }},
      {"shuffle(value, 31 - lane_index())", [](std::uint32_t lane) { return 31 - lane; }},
  };
  return all;
}

// Values of `bytes` bytes whose every byte depends on the lane; what arrives is compared byte by byte.
class HostShuffles : public ::testing::TestWithParam<int> {};

TEST_P(HostShuffles, MoveWholeValues) {
  const int bytes = GetParam();
  std::string body = fmt::format("constexpr int size = {};\nstruct Value {{ u8 byte[size]; }};\n", bytes);
  body += R"(
KERNEL {
  Value value;
  for (int i = 0; i < size; ++i) value.byte[i] = u8(thread_index() * 7 + i);
  Output* mine = out + thread_index() * size;
)";
  for (const Exchange& exchange : exchanges()) {
    body += fmt::format(
        "  {{\n    const Value got = {};\n    for (int i = 0; i < size; ++i) mine[i] = got.byte[i];\n"
        "    mine += size * 64;\n  }}\n",
        exchange.call);
  }
  Bench bench(body + "}\n");
  for (const HostSchedule& schedule : schedules()) {
    bench.device().set_schedule(schedule);
    bench.out.assign(exchanges().size() * 64 * static_cast<std::size_t>(bytes), 0xdead);
    bench.run({.blocks = 1, .threads_per_block = 64, .shared_bytes = 0});
    const std::uint32_t* got = bench.out.data();
    for (const Exchange& exchange : exchanges()) {
      for (std::uint32_t thread = 0; thread < 64; ++thread) {
        const std::uint32_t source = thread / 32 * 32 + exchange.source(thread % 32);
        for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(bytes); ++i) {
          ASSERT_EQ(*got++, (source * 7 + i) % 256) << exchange.call << " thread " << thread << " byte " << i;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, HostShuffles, ::testing::Values(1, 2, 4, 8, 12, 16));

TEST(HostPrimitives, BallotGathersAndHighestBitFinds) {
  Bench bench(R"(
KERNEL {
  const u32 all = warp_ballot(in[thread_index()] != 0);
  const u32 next = warp_ballot(lane_index() == 3);  // at once again: results of the first must not be overwritten
  out[2 * thread_index()] = all ^ (next ^ 8u);
  out[2 * thread_index() + 1] = u32(highest_bit(in[thread_index()]));
})");
  for (const HostSchedule& schedule : schedules()) {
    bench.device().set_schedule(schedule);
    bench.in = std::vector<std::uint32_t>(96, 0);
    for (std::uint32_t i = 0; i < 96; i += 5) bench.in[i] = 1u << (i % 32) | 1u;
    bench.out.assign(192, 0xdead);
    bench.run({.blocks = 1, .threads_per_block = 96, .shared_bytes = 0});
    for (std::uint32_t thread = 0; thread < 96; ++thread) {
      std::uint32_t expected = 0;
      for (std::uint32_t lane = 0; lane < 32; ++lane) expected |= (thread / 32 * 32 + lane) % 5 == 0 ? 1u << lane : 0;
      ASSERT_EQ(bench.out[2 * thread], expected) << thread;
      const std::uint32_t highest = thread % 5 == 0 ? thread % 32 : 0xffffffffu;
      ASSERT_EQ(bench.out[2 * thread + 1], highest) << thread;
    }
  }
}

constexpr const char* reversal = R"(
struct Shared { u32 items[128]; };
KERNEL {
  Shared& shared = SHARED<Shared>();
  const u32 first = block_index() * 128;
  shared.items[thread_index()] = in[first + thread_index()];
  BARRIER;
  out[first + thread_index()] = shared.items[127 - thread_index()];
})";

std::string reversal_with(const std::string& shared, const std::string& barrier) {
  return fmt::format("#define SHARED {}\n#define BARRIER {}\n{}", shared, barrier, reversal);
}

void check_reversal(Bench& bench, int shared_bytes) {
  for (const HostSchedule& schedule : schedules()) {
    bench.device().set_schedule(schedule);
    bench.in = std::vector<std::uint32_t>(128 * 20);
    std::iota(bench.in.begin(), bench.in.end(), 1000u);
    bench.out.assign(bench.in.size(), 0);
    bench.run({.blocks = 20, .threads_per_block = 128, .shared_bytes = shared_bytes});
    std::vector<std::uint32_t> expected = bench.in;
    for (auto block = expected.begin(); block != expected.end(); block += 128) std::reverse(block, block + 128);
    ASSERT_EQ(bench.out, expected);
  }
}

TEST(HostPrimitives, BlockReversesThroughStaticSharedMemory) {
  Bench bench(reversal_with("static_shared", "block_barrier()"));
  check_reversal(bench, 0);
}

TEST(HostPrimitives, BlockReversesThroughDynamicSharedMemory) {
  Bench bench(reversal_with("dynamic_shared", "block_barrier()"));
  check_reversal(bench, 512);
  EXPECT_THAT(error_of(bench, {.blocks = 1, .threads_per_block = 128, .shared_bytes = 511}),
              HasSubstr("uses 512 bytes of dynamic shared memory, but the launch has 511"));
  EXPECT_THAT(error_of(bench, {.blocks = 1, .threads_per_block = 128, .shared_bytes = 0}),
              HasSubstr("but the launch has 0"));
}

TEST(HostPrimitives, MissingBarrierShows) {
  Bench bench(reversal_with("static_shared", "(void)0"));
  bench.in.assign(128, 42);
  bench.out.assign(128, 0);
  bench.run({.blocks = 1, .threads_per_block = 128, .shared_bytes = 0});
  EXPECT_EQ(bench.out[0], 0xa5a5a5a5u);  // read before it was written
}

TEST(HostPrimitives, TooMuchStaticSharedMemoryIsAnError) {
  Bench bench(R"(
struct Shared { u8 bytes[48 * 1024 + 1]; };
KERNEL {
  out[0] = static_shared<Shared>().bytes[0];
})");
  bench.out.assign(1, 0);
  EXPECT_THAT(error_of(bench, {.blocks = 1, .threads_per_block = 32, .shared_bytes = 0}),
              HasSubstr("asks for 49153 bytes of static shared memory"));
}

TEST(HostPrimitives, SharedMemoryStartsAsGarbageInEveryBlock) {
  Bench bench(R"(
struct Shared { u32 word; };
KERNEL {
  Shared& shared = static_shared<Shared>();
  Shared& more = dynamic_shared<Shared>();
  if (thread_index() != 0) return;
  out[2 * block_index()] = shared.word;
  out[2 * block_index() + 1] = more.word;
  shared.word = more.word = 0;
})");
  const Launch launch{.blocks = 10, .threads_per_block = 32, .shared_bytes = 4};
  bench.out.assign(20, 0);
  bench.run(launch);
  EXPECT_THAT(bench.out, Each(0xa5a5a5a5u));
  bench.device().set_schedule(HostSchedule::hostile(5));
  bench.run(launch);
  EXPECT_EQ(std::set<std::uint32_t>(bench.out.begin(), bench.out.end()).size(), 20u);
}

TEST(HostPrimitives, WordsOfEverySizeAreLoadedStoredAndAdded) {
  Bench bench(R"(
struct Workspace { u128 wide; u64 middle; u32 narrow; u32 counter; };
KERNEL {
  if (thread_index() == 0) {
    store_relaxed(&workspace->wide, u128{0x100000002ull, 0x300000004ull});
    store_relaxed(&workspace->middle, 0x500000006ull);
    store_release(&workspace->narrow, 7u);
  }
  warp_barrier();
  out[4 * thread_index()] = add_relaxed(&workspace->counter, 1u);
  warp_barrier();
  out[4 * thread_index() + 1] = add_acquire_release(&workspace->counter, 2u);
  const u128 wide = load_relaxed(&workspace->wide);
  const u64 middle = load_relaxed(&workspace->middle);
  out[4 * thread_index() + 2] = u32(wide.low >> 32 == 1 && u32(wide.low) == 2 && wide.high == 0x300000004ull);
  out[4 * thread_index() + 3] = u32(middle == 0x500000006ull) + load_acquire(&workspace->narrow) +
                                load_relaxed(&workspace->narrow);
})");
  for (const HostSchedule& schedule : schedules()) {
    bench.device().set_schedule(schedule);
    bench.workspace.assign(8, 0);
    bench.out.assign(128, 0);
    bench.run({.blocks = 1, .threads_per_block = 32, .shared_bytes = 0});
    std::set<std::uint32_t> first, second;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      first.insert(bench.out[4 * lane]);
      second.insert(bench.out[4 * lane + 1]);
      ASSERT_EQ(bench.out[4 * lane + 2], 1u);
      ASSERT_EQ(bench.out[4 * lane + 3], 15u);
    }
    EXPECT_EQ(first.size(), 32u);
    EXPECT_EQ(*first.rbegin(), 31u);
    EXPECT_EQ(second.size(), 32u);
    EXPECT_EQ(*second.begin(), 32u);
    EXPECT_EQ(*second.rbegin(), 94u);
    EXPECT_EQ(bench.workspace, (std::vector<std::uint32_t>{2, 1, 4, 3, 6, 5, 7, 96}));  // the newest values
  }
}

TEST(HostPrimitives, VectorsAndAlignment) {
  Bench bench(R"(
static_assert(sizeof(Vector<4>) == 4 && sizeof(Vector<8>) == 8 && alignof(Vector<16>) == 16);
KERNEL {
  if (thread_index() != 0) return;
  const char* base = reinterpret_cast<const char*>(in);
  for (int offset = 0; offset < 32; ++offset) {
    out[offset] = u32(is_aligned<4>(base + offset)) | u32(is_aligned<8>(base + offset)) << 1 |
                  u32(is_aligned<16>(base + offset)) << 2;
  }
})");
  bench.in.assign(16, 0);
  bench.out.assign(32, 0);
  bench.run({.blocks = 1, .threads_per_block = 32, .shared_bytes = 0});
  const auto base = reinterpret_cast<std::uintptr_t>(bench.in.data());
  for (std::uint32_t offset = 0; offset < 32; ++offset) {
    const std::uintptr_t at = base + offset;
    EXPECT_EQ(bench.out[offset], (at % 4 == 0) | (at % 8 == 0) << 1 | (at % 16 == 0) << 2) << offset;
  }
}

}  // namespace
}  // namespace upsweep::runtime::testing
