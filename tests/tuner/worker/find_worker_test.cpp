// Where the upsweep command is looked for; tests/consumer has programs that find an installed one.
#include <gtest/gtest.h>

#include "tests/runtime/cuda/support.hpp"
#include "tuner/worker/worker_process.hpp"

namespace upsweep::tuner {
namespace {

using runtime::test::Variable;

TEST(FindWorker, TakesOnlyWorkersOfThisVersion) {
  EXPECT_TRUE(find_worker(UPSWEEP_WORKER_COMMAND).settings.has_value());
  EXPECT_FALSE(find_worker("/bin/true").settings.has_value());
  EXPECT_NE(find_worker("/bin/true").reason.find("/bin/true is not an upsweep worker: ended with exit code 0"),
            std::string::npos);
  EXPECT_EQ(find_worker("/nowhere/upsweep").reason, "there is no program /nowhere/upsweep");
}

// A program that lies elsewhere than the command finds it where it is installed.
TEST(FindWorker, LooksInTheFolderOfTheInstalledCommand) {
  const Variable path("PATH", "/nowhere");
  const Variable unnamed("UPSWEEP_WORKER", std::nullopt);
  const FoundWorker found = find_worker("");
  const std::string installed = UPSWEEP_INSTALLED_COMMAND;
  if (found.settings) {
    EXPECT_EQ(found.settings->command.at(0), installed) << "upsweep is installed on this machine";
  } else {
    EXPECT_NE(found.reason.find(installed), std::string::npos) << found.reason;
  }
}

}  // namespace
}  // namespace upsweep::tuner
