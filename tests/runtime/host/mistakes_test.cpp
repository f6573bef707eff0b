// What no device allows is an error in every schedule.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/host/kernels.hpp"

namespace upsweep::runtime::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string error_of_body(const std::string& statements, const HostSchedule& schedule, int threads_per_block = 64) {
  Bench bench({.body = "struct Workspace { u32 word; };\n"
                       "extern \"C\" __global__ void upsweep_kernel(const __grid_constant__ Arguments arguments) {\n"
                       "  Output* const out = arguments.out;\n"
                       "  Workspace* const workspace = arguments.workspace;\n" +
                       statements + "\n}\n"});
  bench.out.assign(64, 0);
  bench.workspace.assign(2, 0);
  bench.device().set_schedule(schedule);
  return error_of(bench, {.blocks = 3, .threads_per_block = threads_per_block, .shared_bytes = 0});
}

class HostMistakes : public ::testing::TestWithParam<int> {
 protected:
  [[nodiscard]] static HostSchedule schedule() { return schedule_of(GetParam()); }
};

TEST_P(HostMistakes, LanesAtDifferentExchanges) {
  const std::string error =
      error_of_body("if (lane_index() < 7) out[0] = warp_ballot(true); else out[1] = shuffle_up(1u, 1);", schedule());
  EXPECT_THAT(error, AllOf(HasSubstr("the warp diverged"), HasSubstr("ballot"), HasSubstr("shuffle_up"),
                           HasSubstr("block "), HasSubstr("thread ")));
}

TEST_P(HostMistakes, LanesExchangingDifferentSizes) {
  EXPECT_THAT(error_of_body("if (lane_index() < 7) shuffle(u64(1), 1); else shuffle(1u, 1);", schedule()),
              AllOf(HasSubstr("the warp diverged"), HasSubstr("4 bytes"), HasSubstr("8 bytes")));
}

TEST_P(HostMistakes, LanesAtTheBlockBarrierAndAtAnExchange) {
  EXPECT_THAT(error_of_body("if (lane_index() == 7) block_barrier(); else warp_barrier();", schedule()),
              AllOf(HasSubstr("the warp diverged"), HasSubstr("block_barrier"), HasSubstr("warp_barrier")));
}

TEST_P(HostMistakes, ExitedLaneInAnExchange) {
  EXPECT_THAT(error_of_body("if (lane_index() == 7) return; out[0] = warp_ballot(true);", schedule()),
              AllOf(HasSubstr("exited"), HasSubstr("ballot")));
}

TEST_P(HostMistakes, ThreadExitedWhileOthersWait) {
  EXPECT_THAT(error_of_body("if (thread_index() == 63) return; block_barrier();", schedule()),
              AllOf(HasSubstr("exited"), HasSubstr("block_barrier")));
}

// Words are only tracked in weak memory.
TEST(HostSchedules, WordOfTwoSizesIsAnError) {
  EXPECT_THAT(error_of_body("store_relaxed(&workspace->word, 1u);"
                            "load_relaxed(reinterpret_cast<const u64*>(workspace));",
                            HostSchedule::hostile(1)),
              HasSubstr("as 4 bytes and as 8 bytes"));
}

TEST_P(HostMistakes, PollingForWhatNeverComes) {
  HostSchedule impatient = schedule();
  impatient.poll_limit = 20'000;
  EXPECT_THAT(error_of_body("while (load_relaxed(&workspace->word) == 0) {}", impatient),
              AllOf(HasSubstr("no progress"), HasSubstr("running")));
  EXPECT_THAT(error_of_body("while (load_relaxed(&out[0]) + load_relaxed(&out[1]) == 0) {}", impatient),
              HasSubstr("no progress"));
  EXPECT_THAT(error_of_body("for (;;) wait_nanoseconds(100);", impatient), HasSubstr("no progress"));
}

TEST_P(HostMistakes, WaitingForEachOtherForEver) {
  // The barrier's other half never comes, since it waits in another warp for a lane that is at the barrier.
  EXPECT_THAT(error_of_body("if (warp_index() == 0 || lane_index() != 31) block_barrier();"
                            "else while (load_relaxed(&workspace->word) == 0) wait_nanoseconds(1);",
                            [] {
                              HostSchedule impatient = schedule();
                              impatient.poll_limit = 20'000;
                              return impatient;
                            }()),
              AllOf(HasSubstr("63 block_barrier"), HasSubstr("1 running")));
}

INSTANTIATE_TEST_SUITE_P(Seeds, HostMistakes, ::testing::Values(0, 1, 2, 3));

}  // namespace
}  // namespace upsweep::runtime::testing
