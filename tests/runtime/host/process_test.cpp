#include "runtime/host/process.hpp"

#include <unistd.h>
#include <csignal>
#include <sstream>
#include <system_error>

#include <gtest/gtest.h>

namespace upsweep::runtime {
namespace {

// What a terminal sends on Ctrl-C goes to a process group; the fifth field of /proc/self/stat is the reader's.
TEST(HostProcess, HasAProcessGroupOfItsOwn) {
  const ProcessResult result = run_process({"/bin/sh", "-c", "echo $$; cut -d' ' -f5 /proc/self/stat"});
  std::istringstream lines(result.output);
  long shell = 0, group = 0;
  ASSERT_TRUE(lines >> shell >> group) << result.output;
  EXPECT_EQ(group, shell) << "what it starts belongs to its group";
  EXPECT_NE(group, ::getpgrp());
}

TEST(HostProcess, TellsWhichSignalEndedIt) {
  const ProcessResult result = run_process({"/bin/sh", "-c", "kill -TERM $$"});
  EXPECT_EQ(result.signal, SIGTERM);
}

TEST(HostProcess, ThatCannotBeStartedIsAnError) {
  EXPECT_THROW((void)run_process({"/nonexistent/compiler"}), std::system_error);
}

}  // namespace
}  // namespace upsweep::runtime
