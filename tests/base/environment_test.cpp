#include "base/environment.hpp"

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "base/process.hpp"
#include "tests/support/test_folder.hpp"

namespace upsweep::base {
namespace {

namespace fs = std::filesystem;

const ProcessOptions variables{
    .variables = {{"UPSWEEP_TEST_VARIABLE", "a value"}, {"UPSWEEP_DB", "/of/the/caller.db"}}};

TEST(Environment, IsReadByOrdinaryPrograms) {
  EXPECT_EQ(run_process({UPSWEEP_ENVIRONMENT_PROGRAM}, variables).output, "a value\n/of/the/caller.db\n");
}

// Else the caller would choose what a program with more rights loads, runs and writes.
TEST(Environment, IsNothingToAProgramWithMoreRights) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make a program of another user's";
  const test::TestFolder folder;
  ::chmod(folder.path().c_str(), 0755);
  const fs::path program = folder / "program";
  fs::copy_file(UPSWEEP_ENVIRONMENT_PROGRAM, program);
  struct statvfs mounted {};
  ASSERT_EQ(::statvfs(program.c_str(), &mounted), 0);
  ASSERT_EQ(::chown(program.c_str(), 65534, 65534), 0);
  ASSERT_EQ(::chmod(program.c_str(), S_ISUID | 0755), 0);
  const ProcessResult result = run_process({program.string()}, variables);
  if ((mounted.f_flag & ST_NOSUID) != 0) GTEST_SKIP() << "no program has more rights on this file system";
  EXPECT_EQ(result.output, "nothing\nno place\n");
}

}  // namespace
}  // namespace upsweep::base
