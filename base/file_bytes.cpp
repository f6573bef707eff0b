#include "base/file_bytes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/text.hpp"

namespace upsweep::base {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 20;

[[noreturn]] void refuse_input(const std::string& path, int error) {
  throw InputError(
      fmt::format("cannot read {}: {}; check the path and its permissions", input_label(path), error_text(error)));
}

// Size of a regular file plus one, so that one read more than needed shows its end; a chunk for everything else.
std::size_t first_capacity(int descriptor, const std::string& path) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) refuse_input(path, errno);
  if (S_ISDIR(status.st_mode)) {
    throw InputError(fmt::format("{} is a folder: name a file", input_label(path)));
  }
  return S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) + 1 : chunk_bytes;
}

// What takes the file's place would replace a symbolic link; what the link points to is what the user means, and as in
// a shell's redirection that need not be there yet.
std::string follow_links(const std::string& path) {
  constexpr int most = 40;  // as many as Linux follows
  std::error_code none;
  std::filesystem::path at(path);
  for (int links = 0; links < most && std::filesystem::is_symlink(at, none); ++links) {
    const std::filesystem::path target = std::filesystem::read_symlink(at, none);
    at = at.parent_path() / target;  // an absolute target stands alone
  }
  return at.string();
}

}  // namespace

std::string input_label(const std::string& path) {
  return path == "-" ? std::string("standard input") : fmt::format("'{}'", show_controls(path));
}

std::vector<std::byte> read_bytes(const std::string& path) {
  const bool standard = path == "-";
  const FileHandle file(standard ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!standard && !file) refuse_input(path, errno);
  const int descriptor = standard ? STDIN_FILENO : file.get();
  std::vector<std::byte> bytes(first_capacity(descriptor, path));
  std::size_t filled = 0;
  for (;;) {
    if (filled == bytes.size()) bytes.resize(bytes.size() + std::max(chunk_bytes, bytes.size() / 2));
    const ssize_t count = ::read(descriptor, bytes.data() + filled, bytes.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse_input(path, errno);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  bytes.resize(filled);
  return bytes;
}

void reserve_standard_descriptors() {
  for (const int each : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(each, F_GETFD) >= 0 || errno != EBADF) continue;
    (void)::open("/dev/null", each == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // gets the lowest free number, this one
  }
}

OutputFile::OutputFile(const std::string& path, PendingFile::Name name)
    : label_(path == "-" ? std::string("standard output") : fmt::format("'{}'", show_controls(path))) {
  if (path == "-") {
    descriptor_ = STDOUT_FILENO;
    return;
  }
  // Before links are followed here: the system refuses a link of another user's in a folder that all may write to.
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) fail(errno);
  if (exists && S_ISDIR(status.st_mode)) fail(EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    file_ = FileHandle(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file_) fail(errno);
    descriptor_ = file_.get();
    return;
  }
  // Another file would take the place of one that its owner made read-only.
  if (exists && ::access(path.c_str(), W_OK) != 0) fail(errno);
  pending_.emplace(follow_links(path), name);
  descriptor_ = pending_->descriptor();
  if (descriptor_ < 0) fail(errno);
  if (exists) (void)::fchmod(descriptor_, status.st_mode & 07777);  // as if it had been written in place
}

void OutputFile::write(std::span<const std::byte> bytes) {
  if (!write_all(descriptor_, bytes)) fail(errno);
}

void OutputFile::commit() {
  if (pending_) {
    if (const int error = pending_->publish(); error != 0) fail(error);
  } else if (file_ && ::close(file_.release()) != 0) {
    fail(errno);
  }
}

void OutputFile::fail(int error) const {
  throw InputError(
      fmt::format("cannot write {}: {}; check the path, its permissions and the free space, or name another output",
                  label_, error_text(error)));
}

void write_file(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.write(std::as_bytes(std::span(text)));
  file.commit();
}

}  // namespace upsweep::base
