#include "base/process.hpp"

#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <system_error>

#include <gtest/gtest.h>

#include "base/find_program.hpp"

namespace upsweep::base {
namespace {

// What a terminal sends on Ctrl-C goes to a process group; the fifth field of /proc/self/stat is the reader's.
TEST(Process, HasAProcessGroupOfItsOwn) {
  const ProcessResult result = run_process({"/bin/sh", "-c", "echo $$; cut -d' ' -f5 /proc/self/stat"});
  std::istringstream lines(result.output);
  long shell = 0, group = 0;
  ASSERT_TRUE(lines >> shell >> group) << result.output;
  EXPECT_EQ(group, shell) << "what it starts belongs to its group";
  EXPECT_NE(group, ::getpgrp());
}

TEST(Process, TellsWhichSignalEndedIt) {
  const ProcessResult result = run_process({"/bin/sh", "-c", "kill -TERM $$"});
  EXPECT_EQ(result.signal, SIGTERM);
}

// What a test changes of this process's own: SIGCHLD, and a variable.
class Disposition {
 public:
  explicit Disposition(void (*handler)(int), int flags = 0) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = flags;
    ::sigaction(SIGCHLD, &action, &before_);
  }
  Disposition(const Disposition&) = delete;
  Disposition& operator=(const Disposition&) = delete;
  ~Disposition() { ::sigaction(SIGCHLD, &before_, nullptr); }

 private:
  struct sigaction before_ {};
};

void expect_all_to_work() {
  const ProcessResult result = run_process({"/bin/sh", "-c", "head -c 300000 /dev/zero; echo words >&2; exit 7"});
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_EQ(result.signal, 0);
  EXPECT_EQ(result.output.size(), 256u * 1024u);
  EXPECT_EQ(run_process({"/bin/sh", "-c", "kill -TERM $$"}).signal, SIGTERM);
  EXPECT_EQ(run_process({"/bin/sh", "-c", "cut -d' ' -f5 /proc/self/stat; echo $$ >&2"}).exit_code, 0);
  try {
    (void)run_process({"/nonexistent/compiler"});
    FAIL() << "started";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::no_such_file_or_directory);
  }
}

TEST(Process, WorksWhereTheCallerIgnoresItsChildren) {
  const Disposition ignored(SIG_IGN);
  expect_all_to_work();
}

TEST(Process, WorksWhereTheCallerWantsNoZombies) {
  const Disposition without(SIG_DFL, SA_NOCLDWAIT);
  expect_all_to_work();
}

TEST(Process, WorksWhereTheCallerWaitsForAllChildren) {
  const Disposition reaping([](int) {
    const int error = errno;
    while (::waitpid(-1, nullptr, WNOHANG) > 0) continue;
    errno = error;
  });
  expect_all_to_work();
}

TEST(Process, ProgramsHaveSignalsAsAFreshProcessHas) {
  const Disposition ignored(SIG_IGN);
  sigset_t terminate, before;
  ::sigemptyset(&terminate);
  ::sigaddset(&terminate, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &terminate, &before);
  const ProcessResult result = run_process({"/bin/grep", "-E", "Sig(Blk|Ign)", "/proc/self/status"});
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  std::istringstream lines(result.output);
  std::string name;
  std::uint64_t blocked = 1, unheard = ~std::uint64_t{0};
  ASSERT_TRUE(lines >> name >> std::hex >> blocked >> name >> unheard) << result.output;
  EXPECT_EQ(blocked, 0u);
  EXPECT_EQ(unheard & std::uint64_t{1} << (SIGCHLD - 1), 0u);
}

TEST(Process, VariablesAreAddedAndPathHasNoRelativeFolders) {
  const std::string before = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "";
  ::setenv("PATH", ".:/usr/bin::tools:/bin", 1);
  ::setenv("UPSWEEP_TEST_VARIABLE", "mine", 1);
  const std::vector<std::string> command{"/bin/sh", "-c", "echo $PATH $UPSWEEP_TEST_VARIABLE $UPSWEEP_TEST_OTHER"};
  EXPECT_EQ(run_process(command, {.variables = {{"UPSWEEP_TEST_OTHER", "its own"}}}).output,
            "/usr/bin:/bin mine its own\n");
  EXPECT_EQ(run_process(command, {.variables = {{"UPSWEEP_TEST_VARIABLE", "its own"}}}).output,
            "/usr/bin:/bin its own\n");
  EXPECT_EQ(program_folders(), (std::vector<std::string>{"/usr/bin", "/bin"}));
  ::setenv("PATH", "tools:.", 1);
  EXPECT_EQ(run_process(command).output, "/usr/bin:/bin mine\n");
  ::setenv("PATH", before.c_str(), 1);
  ::unsetenv("UPSWEEP_TEST_VARIABLE");
}

TEST(Process, ThatCannotBeStartedIsAnError) {
  EXPECT_THROW((void)run_process({"/nonexistent/compiler"}), std::system_error);
}

TEST(Process, OutputIsBounded) {
  const ProcessResult result = run_process({"/bin/sh", "-c", "head -c 1000000 /dev/zero; exit 7"});
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_EQ(result.output.size(), 256u * 1024u);
}

}  // namespace
}  // namespace upsweep::base
