#include "base/directory.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <random>

#include <fmt/format.h>

namespace upsweep::base {
namespace {

constexpr std::string_view temporary_suffix = ".tmp";

bool others_may_write(const struct stat& status) {
  return (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

// Distinct over processes, hosts that share the directory, and threads.
std::string temporary_name(const std::string& name) {
  thread_local std::mt19937_64 random(std::random_device{}() ^ static_cast<std::uint64_t>(getpid()) << 32);
  return fmt::format("{}.{}.{:016x}{}", name, getpid(), random(), temporary_suffix);
}

}  // namespace

std::optional<std::string> Directory::create(const std::filesystem::path& path) {
  std::filesystem::path part;
  for (const std::filesystem::path& step : path) {
    part /= step;
    if (step.empty() || ::mkdir(part.c_str(), S_IRWXU) == 0) continue;
    const int error = errno;  // EEXIST, but also EROFS or EACCES for a parent that is there
    struct stat status {};
    if (::stat(part.c_str(), &status) != 0) {
      return fmt::format("{} cannot be created: {}", part.string(), error_text(error));
    }
    if (!S_ISDIR(status.st_mode)) return fmt::format("{} is not a directory", part.string());
  }
  return std::nullopt;
}

std::optional<Directory> Directory::open(const std::filesystem::path& path, std::string& reason, bool& missing) {
  FileHandle handle(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  missing = !handle && errno == ENOENT;
  if (!handle) {
    reason = fmt::format("{} cannot be opened: {}", path.string(), error_text(errno));
    return std::nullopt;
  }
  struct stat status {};
  if (::fstat(handle.get(), &status) != 0) {
    reason = fmt::format("{} cannot be checked: {}", path.string(), error_text(errno));
    return std::nullopt;
  }
  if (status.st_uid != ::geteuid()) {
    reason = fmt::format("{} belongs to another user", path.string());
    return std::nullopt;
  }
  if (others_may_write(status)) {
    reason = fmt::format("{} can be written by other users: run chmod go-w on it", path.string());
    return std::nullopt;
  }
  return Directory(std::move(handle));
}

std::vector<Directory::File> Directory::files() const {
  // fdopendir takes a descriptor over, and with it the position, so it gets one of its own.
  FileHandle again(::openat(handle_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!again) return {};
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(again.get()), ::closedir);
  if (!stream) return {};
  again.release();
  std::vector<File> found;
  while (const dirent* entry = ::readdir(stream.get())) {
    struct stat status {};
    if (::fstatat(handle_.get(), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (!S_ISREG(status.st_mode)) continue;
    found.push_back({entry->d_name, static_cast<std::uint64_t>(status.st_size), status.st_mtim});
  }
  return found;
}

Directory::Opened Directory::open_file(const std::string& name) const {
  Opened opened;
  // Non-blocking, so that a pipe of that name does not hold the call up; it has no effect on files.
  FileHandle file(::openat(handle_.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  opened.missing = !file && errno != ELOOP && errno != EACCES;  // ELOOP: a symbolic link
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0) return opened;
  if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid() || others_may_write(status)) return opened;
  opened.bytes = static_cast<std::uint64_t>(status.st_size);
  opened.file = std::move(file);
  return opened;
}

std::optional<std::vector<std::byte>> Directory::read(const std::string& name, std::uint64_t max_bytes) const {
  const Opened opened = open_file(name);
  if (opened.missing) return std::nullopt;
  if (!opened.file || opened.bytes > max_bytes) return std::vector<std::byte>();
  std::vector<std::byte> bytes(opened.bytes);
  bytes.resize(read_all(opened.file.get(), bytes));
  ::futimens(opened.file.get(), nullptr);  // on a read-only file system the order of eviction does not matter
  return bytes;
}

std::vector<std::byte> Directory::read_start(const std::string& name, std::size_t count) const {
  const Opened opened = open_file(name);
  if (!opened.file) return {};
  std::vector<std::byte> bytes(count);
  bytes.resize(read_all(opened.file.get(), bytes));
  return bytes;
}

std::optional<std::string> Directory::write(const std::string& name, std::span<const std::byte> bytes) const {
  const std::string temporary = temporary_name(name);
  const FileHandle file(::openat(handle_.get(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                                 S_IRUSR | S_IWUSR));
  if (!file) return fmt::format("a file cannot be created: {}", error_text(errno));
  // The content is on the disk before the name; a name that is lost in a crash is but a miss, so the directory is not
  // synchronised.
  if (write_all(file.get(), bytes) && ::fsync(file.get()) == 0 &&
      ::renameat(handle_.get(), temporary.c_str(), handle_.get(), name.c_str()) == 0) {
    return std::nullopt;
  }
  const int error = errno;
  remove(temporary);
  return fmt::format("a file cannot be written: {}", error_text(error));
}

bool Directory::remove(const std::string& name) const noexcept {
  return ::unlinkat(handle_.get(), name.c_str(), 0) == 0;
}

bool Directory::is_temporary(std::string_view name) noexcept {
  return name.ends_with(temporary_suffix);
}

}  // namespace upsweep::base
