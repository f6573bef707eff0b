// Loads that happen late: what a load may read, and what makes it read what was there before.
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/host/kernels.hpp"

namespace upsweep::runtime::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t late_load_seeds = 200;
constexpr Launch three_blocks{.blocks = 3, .threads_per_block = 64};

// Thread 1 of the first block loads a word. Thread 40 tells the second block, whose lane 5 reads that and tells the
// third block, which stores to the word. What the first block loaded comes out.
struct Chain {
  std::string publishing = "fence_device();";  // of the first block
  std::string reading = "fence_device();";     // of the second one, by all lanes
  std::string handing_on = "warp_barrier();";  // from lane 5 to lane 0
  std::string passing_on = "fence_device();";  // by all lanes
  std::string storing = "fence_device();";     // of the third block
};

Bench bench_of(const Chain& chain) {
  return Bench(fmt::format(R"(
struct Workspace {{ u32 flag; u32 second_flag; }};
KERNEL {{
  u32* const word = out;
  const int thread = thread_index();
  if (block_index() == 0) {{
    u32 value = 0;
    if (thread == 1) begin_loads([word, &value] {{ value = *word; }});
    block_barrier();
    if (thread >= 32) {publishing}
    if (thread == 40) store_relaxed(&workspace->flag, 1u);
    barrier_before_stores();
    await_loads();
    if (thread == 1) out[1] = value;
  }} else if (block_index() == 1 && thread < 32) {{
    if (thread == 5) while (load_relaxed(&workspace->flag) == 0) {{}}
    {reading}
    {handing_on}
    {passing_on}
    if (thread == 0) store_relaxed(&workspace->second_flag, 1u);
  }} else if (block_index() == 2) {{
    if (thread == 0) while (load_relaxed(&workspace->second_flag) == 0) {{}}
    {storing}
    barrier_before_stores();
    if (thread == 33) *word = 99;
  }}
}})",
                           fmt::arg("publishing", chain.publishing), fmt::arg("reading", chain.reading),
                           fmt::arg("handing_on", chain.handing_on), fmt::arg("passing_on", chain.passing_on),
                           fmt::arg("storing", chain.storing)));
}

// How often the first block reads what the third one stores behind it.
int overtaken(const Chain& chain) {
  Bench bench = bench_of(chain);
  int count = 0;
  for (std::uint64_t seed = 1; seed <= late_load_seeds; ++seed) {
    HostSchedule schedule = HostSchedule::hostile(seed);
    schedule.resident_blocks = 3;
    bench.device().set_schedule(schedule);
    bench.out = {7, 0};
    bench.workspace = {0, 0};
    bench.run(three_blocks);
    bench.device().synchronize(nullptr);
    EXPECT_TRUE(bench.out[1] == 7 || bench.out[1] == 99) << bench.out[1] << ", seed " << seed;
    count += bench.out[1] == 99 ? 1 : 0;
  }
  return count;
}

TEST(HostLateLoads, AreNeverOvertakenByStoresThatComeAfter) {
  EXPECT_EQ(overtaken({}), 0);
}

TEST(HostLateLoads, AreOvertakenWhereAnyFenceIsMissing) {
  EXPECT_GT(overtaken({.publishing = ""}), 0);
  EXPECT_GT(overtaken({.reading = ""}), 0);
  EXPECT_GT(overtaken({.handing_on = ""}), 0);
  EXPECT_GT(overtaken({.passing_on = ""}), 0);
  EXPECT_GT(overtaken({.storing = ""}), 0);
}

TEST(HostLateLoads, HappenAtOnceInTameSchedules) {
  Bench bench = bench_of({.publishing = "", .reading = "", .storing = ""});
  bench.out = {7, 0};
  bench.workspace = {0, 0};
  bench.run(three_blocks);
  EXPECT_EQ(bench.out[1], 7u);
}

TEST(HostLateLoads, MustBeAwaited) {
  Bench bench(R"(
KERNEL {
  u32 value = 0;
  begin_loads([in, &value] { value = *in; });
})");
  bench.in = {1};
  bench.device().set_schedule(HostSchedule::hostile(1));
  EXPECT_THAT(error_of(bench, three_blocks), HasSubstr("exited before its loads were awaited: call await_loads"));
}

}  // namespace
}  // namespace upsweep::runtime::testing
