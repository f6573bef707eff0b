// Launches that overlap as programmatic dependent launch allows it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "tests/runtime/host/kernels.hpp"

namespace upsweep::runtime::testing {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

constexpr std::uint64_t seeds = 60;
constexpr std::uint32_t items = 256;

// Each launch adds 1 to every item, where the one before left it: another block's threads of the same launch do not.
Bench adder(const char* before_wait, const char* wait) {
  return Bench(fmt::format(R"(
struct Workspace {{ u32 word; }};
KERNEL {{
  {}
  {}
  warp_barrier();
  const u32 i = (block_index() * 64 + thread_index());
  out[i] += 1;
}})",
                           before_wait, wait));
}

constexpr Launch dependent{.blocks = items / 64, .threads_per_block = 64, .shared_bytes = 0, .dependent = true};

HostSchedule overlapping(std::uint64_t seed) {
  HostSchedule schedule = HostSchedule::hostile(seed);
  schedule.overlap = true;
  schedule.poll_limit = 20'000;
  return schedule;
}

TEST(HostOverlap, LaunchesRunOnlyWhenSomebodyWaits) {
  Bench bench = adder("let_next_kernel_start();", "wait_for_previous_kernel();");
  bench.out.assign(items, 0);
  bench.workspace.assign(1, 0);
  bench.device().set_schedule(overlapping(1));
  for (int launch = 0; launch < 3; ++launch) bench.run(dependent);
  EXPECT_THAT(bench.out, Each(0u));
  bench.device().synchronize(nullptr);
  EXPECT_THAT(bench.out, Each(3u));
  for (int launch = 0; launch < 30; ++launch) bench.run(dependent);  // more than are put off
  bench.device().synchronize(nullptr);
  EXPECT_THAT(bench.out, Each(33u));
}

// Counts launches that have begun. Who waits for the one before finds all of it; before that, not always.
constexpr const char* counter = R"(
struct Workspace {{ u32 done; u32 missed; }};
KERNEL {{
  let_next_kernel_start();
  {}
  if (load_relaxed(&workspace->done) < initial * 2 * 32) add_relaxed(&workspace->missed, 1);
  warp_barrier();
  add_relaxed(&workspace->done, 1);
}})";

int seeds_that_missed(const char* wait, bool announced_as_dependent) {
  Bench bench(fmt::format(fmt::runtime(counter), wait));
  int missed = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    bench.workspace.assign(2, 0);
    bench.device().set_schedule(overlapping(seed));
    for (bench.initial = 0; bench.initial < 4; ++bench.initial) {
      bench.run({.blocks = 2, .threads_per_block = 32, .shared_bytes = 0, .dependent = announced_as_dependent});
    }
    bench.device().synchronize(nullptr);
    EXPECT_EQ(bench.workspace[0], 4u * 2 * 32);
    if (bench.workspace[1] > 0) ++missed;
  }
  return missed;
}

TEST(HostOverlap, OnlyWaitingShowsWhatTheKernelBeforeDid) {
  EXPECT_EQ(seeds_that_missed("wait_for_previous_kernel();", true), 0);
  EXPECT_GT(seeds_that_missed("", true), static_cast<int>(seeds / 2));
  EXPECT_EQ(seeds_that_missed("", false), 0);
}

// A launch that does not let the next one start ends first.
TEST(HostOverlap, WithoutLeaveNothingStartsEarly) {
  Bench bench = adder("", "");
  bench.workspace.assign(1, 0);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    bench.out.assign(items, 0);
    bench.device().set_schedule(overlapping(seed));
    for (int launch = 0; launch < 4; ++launch) bench.run(dependent);
    bench.device().synchronize(nullptr);
    ASSERT_THAT(bench.out, Each(4u)) << "seed " << seed;
  }
}

// Thread 0 of a block stores before it lets the next kernel start, which reads before it waits.
int seeds_with_old_value(const char* fence) {
  Bench bench(fmt::format(R"(
struct Workspace {{ u32 word[8]; u32 old; }};
KERNEL {{
  if (thread_index() > 0) {{ wait_for_previous_kernel(); return; }}
  if (initial > 0 && load_relaxed(&workspace->word[initial - 1]) == 0) add_relaxed(&workspace->old, 1);
  store_relaxed(&workspace->word[initial], 1u);
  {}
  let_next_kernel_start();
  wait_for_previous_kernel();
}})",
                          fence));
  int old = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    bench.workspace.assign(9, 0);
    bench.device().set_schedule(overlapping(seed));
    for (bench.initial = 0; bench.initial < 5; ++bench.initial) {
      bench.run({.blocks = 1, .threads_per_block = 32, .shared_bytes = 0, .dependent = true});
    }
    bench.device().synchronize(nullptr);
    for (int launch = 0; launch < 5; ++launch) EXPECT_EQ(bench.workspace[static_cast<std::size_t>(launch)], 1u);
    if (bench.workspace[8] > 0) ++old;
  }
  return old;
}

TEST(HostOverlap, StoresBeforeTheNextKernelMustBeFenced) {
  EXPECT_EQ(seeds_with_old_value("fence_device();"), 0);
  EXPECT_GT(seeds_with_old_value(""), 0);
}

TEST(HostOverlap, ErrorsComeToWhoWaits) {
  Bench bench(R"(
KERNEL {
  if (thread_index() > 0) warp_barrier();
})");
  bench.device().set_schedule(overlapping(1));
  EXPECT_EQ(error_of(bench, {.blocks = 1, .threads_per_block = 32, .shared_bytes = 0, .dependent = true}), "");
  EXPECT_THAT([&] { bench.device().synchronize(nullptr); },
              ::testing::ThrowsMessage<DeviceError>(HasSubstr("warp_barrier")));
  bench.device().synchronize(nullptr);
  bench.run({.blocks = 1, .threads_per_block = 32, .shared_bytes = 0, .dependent = true});
  bench.device().set_schedule({});  // nobody has waited
  EXPECT_THROW(bench.device().synchronize(nullptr), DeviceError);
}

}  // namespace
}  // namespace upsweep::runtime::testing
