#include "base/find_program.hpp"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/test_folder.hpp"
#include "tests/support/variable.hpp"

namespace upsweep::base {
namespace {

namespace fs = std::filesystem;

TEST(FindProgram, LooksInTheFoldersOfPath) {
  const test::TestFolder folder;
  const std::string program = folder.make("upsweep-test-program", "#!/bin/sh\n");
  fs::permissions(program, fs::perms::owner_all);
  (void)folder.make("plain", "text");
  const test::Variable path("PATH", "relative::/nonexistent:" + fs::path(program).parent_path().string());
  EXPECT_EQ(find_program("upsweep-test-program"), program);
  EXPECT_EQ(find_program("plain"), "");
  EXPECT_EQ(find_program(fs::path(program).parent_path().string()), "");  // a folder is no program
  EXPECT_EQ(find_program(""), "");
  EXPECT_EQ(find_program(program), program);
}

}  // namespace
}  // namespace upsweep::base
