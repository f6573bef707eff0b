#include "base/child_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/file_handle.hpp"
#include "tests/support/variable.hpp"

namespace upsweep::base {
namespace {

using namespace std::chrono_literals;
using Received = ChildProcess::Received;

std::vector<std::string> shell(const std::string& script) {
  return {"/bin/sh", "-c", script};
}

// The child's next line, or what came in its place.
std::string line_of(ChildProcess& child, std::chrono::milliseconds patience = 60s) {
  std::string line;
  switch (child.receive(line, ChildProcess::Clock::now() + patience)) {
    case Received::line:
      return line;
    case Received::nothing:
      return "(nothing)";
    case Received::end:
      return "(end)";
  }
  return {};
}

// Whether a process that nobody may have waited for yet has ended.
bool has_ended(const std::string& process) {
  std::ifstream file("/proc/" + process + "/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = text.rfind(") ");
  return name_end == std::string::npos || text.substr(name_end + 2, 1) == "Z";
}

bool ends_soon(const std::string& process) {
  for (int i = 0; i < 1000; ++i) {
    if (has_ended(process)) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

TEST(ChildProcess, TakesLinesAndAnswers) {
  ChildProcess child(shell("while read -r line; do echo \"heard $line\"; done"), {});
  for (const char* const line : {"one", "two words", ""}) {
    ASSERT_TRUE(child.send(line));
    EXPECT_EQ(line_of(child), std::string("heard ") + line);
  }
}

TEST(ChildProcess, LinesThatCameTogetherAreTakenOneByOne) {
  ChildProcess child(shell("printf 'one\\ntwo\\n'"), {});
  EXPECT_EQ(line_of(child), "one");
  EXPECT_EQ(line_of(child), "two");
  EXPECT_EQ(line_of(child), "(end)");
}

TEST(ChildProcess, IsNotWaitedForBeyondTheDeadline) {
  ChildProcess child(shell("read -r line; echo \"$line\""), {});
  EXPECT_EQ(line_of(child, 50ms), "(nothing)");
  ASSERT_TRUE(child.send("now"));
  EXPECT_EQ(line_of(child), "now");
}

TEST(ChildProcess, TellsHowItEnded) {
  ChildProcess fails(shell("exit 3"), {});
  EXPECT_EQ(line_of(fails), "(end)");
  EXPECT_EQ(fails.end(), "ended with exit code 3");
  ChildProcess crashes(shell("kill -SEGV $$"), {});
  EXPECT_EQ(line_of(crashes), "(end)");
  EXPECT_EQ(crashes.end(), "killed by signal 11 (Segmentation fault)");
}

TEST(ChildProcess, OneThatHasEndedDoesNotListen) {
  ChildProcess child(shell("exit 0"), {});
  EXPECT_EQ(line_of(child), "(end)");
  EXPECT_EQ(child.end(), "ended with exit code 0");
  EXPECT_FALSE(child.send("line"));
}

TEST(ChildProcess, OneThatGoesOnIsKilledAtTheEnd) {
  ChildProcess child(shell("exec sleep 1000"), {});
  EXPECT_EQ(child.end(), "killed by signal 9 (Killed)");
}

TEST(ChildProcess, IsKilledWithWhatItStarted) {
  std::string process;
  {
    ChildProcess child(shell("sleep 1000 & echo $!; wait"), {});
    process = line_of(child);
    EXPECT_FALSE(has_ended(process));
  }
  EXPECT_TRUE(ends_soon(process));
}

TEST(ChildProcess, WhatItStartedIsKilledAfterIt) {
  ChildProcess child(shell("sleep 1000 & echo $!"), {});
  const std::string process = line_of(child);
  EXPECT_EQ(child.end(), "ended with exit code 0");
  EXPECT_TRUE(ends_soon(process));
}

TEST(ChildProcess, LastWordsAreOneLine) {
  ChildProcess child(shell("printf 'one\\ntwo\\n\\n' >&2"), {});
  EXPECT_EQ(line_of(child), "(end)");
  EXPECT_EQ(child.last_words(), "one two");
}

TEST(ChildProcess, LastWordsAreTheEndOfLongOnes) {
  ChildProcess child(shell("head -c 300000 /dev/zero | tr '\\0' x >&2; echo the end >&2; echo done"), {});
  EXPECT_EQ(line_of(child), "done");
  const std::string words = child.last_words();
  EXPECT_EQ(words.size(), 400u);
  EXPECT_TRUE(words.ends_with("xxxthe end")) << words;
}

TEST(ChildProcess, VariablesTakeThePlaceOfThisProcesssOwn) {
  const test::Variable own("UPSWEEP_TEST_VARIABLE", "mine");
  ChildProcess child(shell("echo \"$UPSWEEP_TEST_VARIABLE $UPSWEEP_TEST_OTHER\""),
                     {{"UPSWEEP_TEST_VARIABLE", "its own"}, {"UPSWEEP_TEST_OTHER", "another"}});
  EXPECT_EQ(line_of(child), "its own another");
}

TEST(ChildProcess, InheritsNoOtherDescriptor) {
  const FileHandle file(::open("/dev/null", O_RDONLY));
  const FileHandle high(::fcntl(file.get(), F_DUPFD, 60));
  ASSERT_TRUE(high);
  ChildProcess child(shell("[ -e /proc/$$/fd/" + std::to_string(high.get()) + " ] && echo open || echo closed"), {});
  EXPECT_EQ(line_of(child), "closed");
}

TEST(ChildProcess, ThatCannotBeStartedIsAnError) {
  EXPECT_THROW(ChildProcess({"/nonexistent/worker"}, {}), std::system_error);
}

}  // namespace
}  // namespace upsweep::base
