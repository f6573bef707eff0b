// What no device allows is an error in every schedule.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/host/kernels.hpp"

namespace upsweep::runtime::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class HostMistakes : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  static std::string error_of_body(const std::string& statements) {
    return error_of_statements({.text = statements}, GetParam());
  }
};

TEST_P(HostMistakes, LanesAtDifferentExchanges) {
  EXPECT_THAT(error_of_body("if (lane_index() < 7) out[0] = warp_ballot(true); else out[1] = shuffle_up(1u, 1);"),
              AllOf(HasSubstr("the warp diverged"), HasSubstr("ballot"), HasSubstr("shuffle_up"), HasSubstr("block "),
                    HasSubstr("thread ")));
}

TEST_P(HostMistakes, LanesExchangingDifferentSizes) {
  EXPECT_THAT(error_of_body("if (lane_index() < 7) shuffle(u64(1), 1); else shuffle(1u, 1);"),
              AllOf(HasSubstr("the warp diverged"), HasSubstr("4 bytes"), HasSubstr("8 bytes")));
}

TEST_P(HostMistakes, LanesAtTheBlockBarrierAndAtAnExchange) {
  EXPECT_THAT(error_of_body("if (lane_index() == 7) block_barrier(); else warp_barrier();"),
              AllOf(HasSubstr("the warp diverged"), HasSubstr("block_barrier"), HasSubstr("warp_barrier")));
}

TEST_P(HostMistakes, ExitedLaneInAnExchange) {
  EXPECT_THAT(error_of_body("if (lane_index() == 7) return; out[0] = warp_ballot(true);"),
              AllOf(HasSubstr("exited"), HasSubstr("ballot")));
}

TEST_P(HostMistakes, ThreadExitedWhileOthersWait) {
  EXPECT_THAT(error_of_body("if (thread_index() == 63) return; block_barrier();"),
              AllOf(HasSubstr("exited"), HasSubstr("block_barrier")));
}

// Words are only tracked in weak memory.
TEST(HostSchedules, WordOfTwoSizesIsAnError) {
  EXPECT_THAT(error_of_statements({.text = "store_relaxed(&workspace->word, 1u);"
                                           "load_relaxed(reinterpret_cast<const u64*>(workspace));"},
                                  1),
              HasSubstr("as 4 bytes and as 8 bytes"));
}

TEST_P(HostMistakes, PollingForWhatNeverComes) {
  EXPECT_THAT(error_of_body("while (load_relaxed(&workspace->word) == 0) {}"),
              AllOf(HasSubstr("no progress"), HasSubstr("running")));
  EXPECT_THAT(error_of_body("while (load_relaxed(&out[0]) + load_relaxed(&out[1]) == 0) {}"), HasSubstr("no progress"));
  EXPECT_THAT(error_of_body("for (;;) wait_nanoseconds(100);"), HasSubstr("no progress"));
}

TEST_P(HostMistakes, WaitingForEachOtherForEver) {
  // The barrier's other half never comes, since it waits in another warp for a lane that is at the barrier.
  EXPECT_THAT(error_of_body("if (warp_index() == 0 || lane_index() != 31) block_barrier();"
                            "else while (load_relaxed(&workspace->word) == 0) wait_nanoseconds(1);"),
              AllOf(HasSubstr("63 block_barrier"), HasSubstr("1 running")));
}

INSTANTIATE_TEST_SUITE_P(Seeds, HostMistakes, ::testing::Values(0, 1, 2, 3));

}  // namespace
}  // namespace upsweep::runtime::testing
