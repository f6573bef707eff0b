#include "base/file_handle.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace upsweep::base {

FileHandle::~FileHandle() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Pipe open_pipe() {
  std::array<int, 2> ends{};
  throw_if_error(::pipe2(ends.data(), O_CLOEXEC) == 0 ? 0 : errno, "pipe");
  return {FileHandle(ends[0]), FileHandle(ends[1])};
}

bool write_all(int descriptor, std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

std::size_t read_all(int descriptor, std::span<std::byte> bytes) noexcept {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::read(descriptor, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

std::string error_text(int error) {
  return std::generic_category().message(error);
}

void throw_if_error(int error, const char* what) {
  if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

}  // namespace upsweep::base
