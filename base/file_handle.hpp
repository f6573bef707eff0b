// File descriptors that close themselves.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>

namespace upsweep::base {

// A file descriptor that closes itself.
class FileHandle {
 public:
  explicit FileHandle(int descriptor = -1) noexcept : descriptor_(descriptor) {}
  FileHandle(FileHandle&& other) noexcept : descriptor_(other.release()) {}
  FileHandle& operator=(FileHandle&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileHandle();
  [[nodiscard]] int get() const noexcept { return descriptor_; }
  void close() noexcept { *this = FileHandle(); }
  int release() noexcept { return std::exchange(descriptor_, -1); }
  [[nodiscard]] explicit operator bool() const noexcept { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

// The two ends of a pipe. Programs that are started inherit neither.
struct Pipe {
  FileHandle reading, writing;
};
// Throws std::system_error.
[[nodiscard]] Pipe open_pipe();

// Writes all of the bytes. False, and errno says why, where that fails.
[[nodiscard]] bool write_all(int descriptor, std::span<const std::byte> bytes) noexcept;
// Reads up to the end of the file or of `bytes`, and returns how many bytes there were.
[[nodiscard]] std::size_t read_all(int descriptor, std::span<std::byte> bytes) noexcept;

// What errno means: "No space left on device".
[[nodiscard]] std::string error_text(int error);
// Throws std::system_error, which names `what`, if the error is not 0.
void throw_if_error(int error, const char* what);

}  // namespace upsweep::base
