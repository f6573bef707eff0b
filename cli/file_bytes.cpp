#include "cli/file_bytes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <upsweep/error.hpp>

namespace upsweep::cli {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 20;

struct Descriptor {
  int value = -1;
  bool owned = false;
  Descriptor(int descriptor, bool own) : value(descriptor), owned(own) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (owned && value >= 0) ::close(value);
  }
};

std::string reason(int error) {
  return std::generic_category().message(error);
}

[[noreturn]] void refuse_input(const std::string& path, int error) {
  throw InputError(
      fmt::format("cannot read {}: {}; check the path and its permissions", input_label(path), reason(error)));
}

// Size of a regular file plus one, so that one read more than needed shows its end; a chunk for everything else.
std::size_t first_capacity(int descriptor, const std::string& path) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) refuse_input(path, errno);
  if (S_ISDIR(status.st_mode)) {
    throw InputError(fmt::format("{} is a directory; name a file in it", input_label(path)));
  }
  return S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) + 1 : chunk_bytes;
}

// Rename replaces a symbolic link by the file; what the link points to is what the user means.
std::string follow_links(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_symlink(path, none)) return path;
  const std::filesystem::path target = std::filesystem::canonical(path, none);
  return none ? path : target.string();
}

}  // namespace

std::string input_label(const std::string& path) {
  return path == "-" ? std::string("standard input") : fmt::format("'{}'", path);
}

std::vector<std::byte> read_bytes(const std::string& path) {
  const bool standard = path == "-";
  const Descriptor file(standard ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC), !standard);
  if (file.value < 0) refuse_input(path, errno);
  std::vector<std::byte> bytes(first_capacity(file.value, path));
  std::size_t filled = 0;
  for (;;) {
    if (filled == bytes.size()) bytes.resize(bytes.size() + std::max(chunk_bytes, bytes.size() / 2));
    const ssize_t count = ::read(file.value, bytes.data() + filled, bytes.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse_input(path, errno);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  bytes.resize(filled);
  return bytes;
}

OutputFile::OutputFile(const std::string& path)
    : label_(path == "-" ? std::string("standard output") : fmt::format("'{}'", path)), path_(follow_links(path)) {
  if (path == "-") {
    descriptor_ = STDOUT_FILENO;
    return;
  }
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail(EISDIR);
  owned_ = true;
  if (exists && !S_ISREG(status.st_mode)) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(errno);
    return;
  }
  // Rename would replace a file that its owner made read-only.
  if (exists && ::access(path_.c_str(), W_OK) != 0) fail(errno);
  temporary_ = fmt::format("{}.part-{}", path_, ::getpid());
  descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    temporary_.clear();
    fail(errno);
  }
  if (exists) (void)::fchmod(descriptor_, status.st_mode & 07777);  // as if it had been written in place
}

OutputFile::~OutputFile() {
  if (owned_ && descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(errno);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

void OutputFile::commit() {
  if (!owned_) return;
  if (!temporary_.empty() && ::fsync(descriptor_) != 0) fail(errno);
  const int descriptor = std::exchange(descriptor_, -1);
  if (::close(descriptor) != 0) fail(errno);
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail(errno);
  temporary_.clear();
}

void OutputFile::fail(int error) const {
  throw InputError(
      fmt::format("cannot write {}: {}; check the path, its permissions and the free space, or name another output",
                  label_, reason(error)));
}

}  // namespace upsweep::cli
