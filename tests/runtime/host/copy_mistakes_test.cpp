// What asynchronous and bulk copies must not do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/runtime/host/kernels.hpp"

namespace upsweep::runtime::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class HostCopyMistakes : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  // One barrier, made by thread 0 for one arrival, then the statements.
  static std::string error_of_statements(const std::string& statements,
                                         const std::string& fence = "fence_for_bulk_copies();") {
    return testing::error_of_statements({.text = statements, .before = fence}, GetParam());
  }

  static std::string error_of_thread_0(const std::string& statements) {
    return error_of_statements(fmt::format("if (thread == 0) {{ {} }}", statements));
  }
};

TEST_P(HostCopyMistakes, AddressesAndSizesOfBulkLoads) {
  constexpr const char* rule = "addresses that are multiples of 16";
  EXPECT_THAT(error_of_thread_0("bulk_load(shared.words, in, 24, barrier);"),
              AllOf(HasSubstr("bulk_load copies 24 bytes"), HasSubstr(rule), HasSubstr("thread 0")));
  EXPECT_THAT(error_of_thread_0("bulk_load(shared.words, in, 0, barrier);"), HasSubstr("bulk_load copies 0 bytes"));
  EXPECT_THAT(error_of_thread_0("bulk_load(shared.words + 1, in, 16, barrier);"),
              AllOf(HasSubstr("shared address is 4"), HasSubstr(rule)));
  EXPECT_THAT(error_of_thread_0("bulk_load_once(shared.words, in + 2, 16, barrier);"),
              AllOf(HasSubstr("global address is 8"), HasSubstr(rule)));
  EXPECT_THAT(error_of_thread_0("bulk_load(shared.words, in, 400, barrier);"),
              HasSubstr("bulk_load copies 400 bytes, but they do not all lie in the shared memory"));
  EXPECT_THAT(error_of_thread_0("bulk_load(out, in, 16, barrier);"),
              HasSubstr("they do not all lie in the shared memory"));
  EXPECT_THAT(error_of_thread_0("bulk_load(shared.words, shared.words + 32, 16, barrier);"),
              HasSubstr("from shared memory to shared memory"));
}

TEST_P(HostCopyMistakes, AddressesAndSizesOfOtherCopies) {
  EXPECT_THAT(error_of_thread_0("bulk_store(out, shared.words, 12);"), HasSubstr("bulk_store copies 12 bytes"));
  EXPECT_THAT(error_of_thread_0("bulk_store_once(out + 1, shared.words, 16);"), HasSubstr("global address is 4"));
  EXPECT_THAT(error_of_thread_0("bulk_store(out, in, 16);"), HasSubstr("they do not all lie in the shared memory"));
  EXPECT_THAT(error_of_thread_0("copy_async(shared.words + 1, in);"),
              AllOf(HasSubstr("copy_async copies 16 bytes"), HasSubstr("shared address is 4")));
  EXPECT_THAT(error_of_thread_0("copy_async(out, in);"), HasSubstr("they do not all lie in the shared memory"));
}

TEST_P(HostCopyMistakes, BarriersOfCopies) {
  EXPECT_THAT(error_of_thread_0("bulk_load(shared.words, in, 16, reinterpret_cast<PhaseBarrier*>(shared.words + 32));"),
              HasSubstr("was never initialised"));
  EXPECT_THAT(error_of_thread_0("arrive_when_copied(reinterpret_cast<PhaseBarrier*>(shared.words + 32));"),
              HasSubstr("was never initialised"));
  EXPECT_THAT(error_of_thread_0(
                  "arrive_expecting(barrier, 384); bulk_load(&shared, in, 384, barrier); wait_phase(barrier, 0);"),
              HasSubstr("was overwritten after init_barrier"));
  EXPECT_THAT(error_of_thread_0("arrive_when_copied(barrier); arrive_expecting(barrier, 16); arrive(barrier);"),
              HasSubstr("was initialised for 1 arrivals and has them all"));
}

TEST_P(HostCopyMistakes, MissingFences) {
  EXPECT_THAT(error_of_statements("if (thread == 0) bulk_load(shared.words, in, 16, barrier);", ""),
              HasSubstr("an mbarrier whose initialisation may not be visible to bulk copies: call "
                        "fence_for_bulk_copies after init_barrier"));
  constexpr const char* missed = "written after the last fence_for_bulk_copies";
  EXPECT_THAT(error_of_statements("shared.words[thread] = 1; block_barrier();"
                                  "if (thread == 0) bulk_store(out, shared.words, 256);",
                                  ""),
              HasSubstr(missed));
  const auto load_write_store = [](const std::string& fence) {
    return error_of_thread_0(
        "arrive_expecting(barrier, 256); bulk_load(shared.words, in, 256, barrier);"
        "wait_phase(barrier, 0); shared.words[17] = 1;" +
        fence +
        "bulk_store(out, shared.words, 256);"
        "commit_bulk_stores(); wait_bulk_stores_read<0>();");
  };
  EXPECT_THAT(load_write_store(""), HasSubstr(missed));
  EXPECT_EQ(load_write_store("fence_for_bulk_copies();"), "");
  // What was loaded by one bulk copy can be stored by another as it is.
  EXPECT_EQ(error_of_thread_0("arrive_expecting(barrier, 256); bulk_load(shared.words, in, 256, barrier);"
                              "wait_phase(barrier, 0); bulk_store(out, shared.words, 256); commit_bulk_stores();"
                              "bulk_store(out + 512, shared.words, 256); commit_bulk_stores();"
                              "wait_bulk_stores_read<0>();"),
            "");
}

TEST_P(HostCopyMistakes, EndingBeforeTheCopies) {
  EXPECT_THAT(error_of_thread_0("arrive_expecting(barrier, 48); bulk_load(shared.words, in, 48, barrier);"),
              HasSubstr("exited while 48 bytes of bulk loads are pending: no thread has waited for phase 0"));
  EXPECT_THAT(error_of_statements("copy_async(shared.words + thread % 16 * 4, in);"),
              HasSubstr("exited while 16 bytes of asynchronous copies are pending"));
  EXPECT_THAT(error_of_thread_0("copy_async(shared.words, in); arrive_when_copied(barrier);"),
              HasSubstr("exited while 16 bytes of bulk loads are pending"));
  EXPECT_THAT(error_of_thread_0("bulk_store(out, shared.words, 256);"),
              HasSubstr("exited before its bulk stores had read shared memory: call commit_bulk_stores and then"));
  EXPECT_THAT(error_of_thread_0("bulk_store(out, shared.words, 256); commit_bulk_stores();"),
              HasSubstr("exited before its bulk stores had read shared memory: call wait_bulk_stores_read<0>"));
  EXPECT_THAT(
      error_of_thread_0("bulk_store(out, shared.words, 256); commit_bulk_stores(); wait_bulk_stores_read<1>();"),
      HasSubstr("exited before its bulk stores had read shared memory"));
  // An arrival for no copies at all holds nobody up.
  EXPECT_EQ(error_of_thread_0("arrive_when_copied(barrier);"), "");
}

// Bytes that no phase expected: the phase ends without them.
TEST_P(HostCopyMistakes, LoadsThatNoPhaseExpected) {
  EXPECT_THAT(error_of_thread_0("arrive(barrier); bulk_load(shared.words, in, 32, barrier); wait_phase(barrier, 0);"),
              AllOf(HasSubstr("exited while 32 bytes of bulk loads are pending"), HasSubstr("phase 1")));
  // Whether the bytes come in before the phase ends or after it, they are missed there or too many.
  EXPECT_THAT(error_of_thread_0("bulk_load(shared.words, in, 32, barrier); arrive(barrier); wait_phase(barrier, 0);"),
              ::testing::AnyOf(HasSubstr("deadlock"),
                               HasSubstr("-32 bytes (a negative number: bytes that arrived without arrive_expecting)"),
                               HasSubstr("exited while 32 bytes of bulk loads are pending")));
}

INSTANTIATE_TEST_SUITE_P(Seeds, HostCopyMistakes, ::testing::Values(0, 1, 2));

}  // namespace
}  // namespace upsweep::runtime::testing
