#include "base/file_handle.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include <gtest/gtest.h>

namespace upsweep::base {
namespace {

bool is_open(int descriptor) {
  return ::fcntl(descriptor, F_GETFD) >= 0;
}

TEST(FileHandle, ClosesItselfOnce) {
  FileHandle first(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const int descriptor = first.get();
  ASSERT_TRUE(is_open(descriptor));
  {
    const FileHandle second(std::move(first));
    EXPECT_EQ(second.get(), descriptor);
    EXPECT_TRUE(is_open(descriptor));
  }
  EXPECT_FALSE(is_open(descriptor));
}

TEST(FileHandle, IsClosedBeforeItsEnd) {
  FileHandle file(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const int descriptor = file.get();
  file.close();
  EXPECT_FALSE(file);
  EXPECT_FALSE(is_open(descriptor));
}

TEST(FileHandle, LeavesOpenWhatIsReleased) {
  FileHandle file(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const int descriptor = file.release();
  EXPECT_FALSE(file);
  EXPECT_TRUE(is_open(descriptor));
  ::close(descriptor);
}

TEST(Pipes, CarryBytesToTheEnd) {
  Pipe pipe = open_pipe();
  EXPECT_NE(::fcntl(pipe.reading.get(), F_GETFD) & FD_CLOEXEC, 0);
  EXPECT_NE(::fcntl(pipe.writing.get(), F_GETFD) & FD_CLOEXEC, 0);
  ASSERT_TRUE(write_all(pipe.writing.get(), std::as_bytes(std::span(std::string_view("12345")))));
  std::array<std::byte, 3> part;
  EXPECT_EQ(read_all(pipe.reading.get(), part), 3u);
  EXPECT_EQ(part[2], std::byte{'3'});
  pipe.writing.close();
  EXPECT_EQ(read_all(pipe.reading.get(), part), 2u);
  EXPECT_EQ(part[1], std::byte{'5'});
  EXPECT_EQ(read_all(pipe.reading.get(), part), 0u);
}

TEST(Errors, HaveTheSystemsWords) {
  const FileHandle reading(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const std::array<std::byte, 1> byte{};
  EXPECT_FALSE(write_all(reading.get(), byte));
  EXPECT_EQ(error_text(errno), "Bad file descriptor");
  EXPECT_NO_THROW(throw_if_error(0, "pipe"));
  try {
    throw_if_error(ENOENT, "folder");
    FAIL() << "nothing was thrown";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::no_such_file_or_directory);
    EXPECT_STREQ(error.what(), "folder: No such file or directory");
  }
}

}  // namespace
}  // namespace upsweep::base
