#include "base/spawn.hpp"

#include <fcntl.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <span>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/file_handle.hpp"

namespace upsweep::base {
namespace {

// What the program writes to its output, and how it ended.
struct Ran {
  std::string output;
  int status = 0;
};

Ran run(const Program& program, Pipe& output) {
  pid_t process = 0;
  Ran ran;
  if (const int error = program.start(process); error != 0) return {error_text(error), -1};
  output.writing.close();
  std::array<std::byte, 4096> bytes;
  const std::size_t count = read_all(output.reading.get(), bytes);
  ran.output.assign(reinterpret_cast<const char*>(bytes.data()), count);
  EXPECT_TRUE(wait_for(process, ran.status));
  return ran;
}

TEST(Spawn, StreamsAreThoseThatWereGiven) {
  Pipe input = open_pipe(), output = open_pipe();
  const StandardStreams streams{
      .input = input.reading.get(), .output = output.writing.get(), .error = output.writing.get()};
  const Program program({"/bin/sh", "-c", "cat; echo words >&2; exit 5"}, {}, streams);
  ASSERT_TRUE(write_all(input.writing.get(), std::as_bytes(std::span(std::string_view("to the program\n")))));
  input.writing.close();
  const Ran ran = run(program, output);
  EXPECT_EQ(ran.output, "to the program\nwords\n");
  EXPECT_EQ(WEXITSTATUS(ran.status), 5);
}

TEST(Spawn, WithoutAnInputItIsEmpty) {
  Pipe output = open_pipe();
  const Program program({"/bin/sh", "-c", "cat; readlink /proc/self/fd/0"}, {},
                        {.output = output.writing.get(), .error = output.writing.get()});
  EXPECT_EQ(run(program, output).output, "/dev/null\n");
}

TEST(Spawn, DescriptorsAreInheritedIfThatIsAskedFor) {
  const FileHandle file(::open("/dev/null", O_RDONLY));
  const FileHandle high(::fcntl(file.get(), F_DUPFD, 60));
  ASSERT_TRUE(high);
  const std::string look = "[ -e /proc/$$/fd/" + std::to_string(high.get()) + " ] && echo open || echo closed";
  const auto seen = [&](OtherDescriptors others) {
    Pipe output = open_pipe();
    const Program program({"/bin/sh", "-c", look}, {}, {.output = output.writing.get(), .error = output.writing.get()},
                          others);
    return run(program, output).output;
  };
  EXPECT_EQ(seen(OtherDescriptors::inheritable), "open\n");
  EXPECT_EQ(seen(OtherDescriptors::none), "closed\n");
}

TEST(Spawn, AGroupIsKilledAsAWhole) {
  Pipe output = open_pipe();
  const Program program({"/bin/sh", "-c", "sleep 1000 & echo started; wait"}, {},
                        {.output = output.writing.get(), .error = output.writing.get()});
  pid_t process = 0;
  ASSERT_EQ(program.start(process), 0);
  output.writing.close();
  std::array<std::byte, 8> started;
  EXPECT_EQ(read_all(output.reading.get(), started), started.size());
  kill_group(process);
  std::array<std::byte, 8> rest;
  EXPECT_EQ(read_all(output.reading.get(), rest), 0u) << "the end comes when both have closed the pipe";
  int status = 0;
  EXPECT_TRUE(wait_for(process, status));
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  EXPECT_FALSE(wait_for(process, status)) << "it has been waited for";
}

TEST(Spawn, SaysWhyAProgramCannotBeStarted) {
  Pipe output = open_pipe();
  const Program program({"/nonexistent/program"}, {}, {.output = output.writing.get(), .error = output.writing.get()});
  EXPECT_STREQ(program.path(), "/nonexistent/program");
  pid_t process = 0;
  EXPECT_EQ(program.start(process), ENOENT);
}

}  // namespace
}  // namespace upsweep::base
