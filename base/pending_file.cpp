#include "base/pending_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <random>
#include <utility>

#include <fmt/format.h>

namespace upsweep::base {
namespace {

constexpr int name_attempts = 100;  // at a name that is not taken; one is enough but for somebody who takes them all

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

std::string random_name(const std::string& path) {
  std::random_device random;  // the system's, not to be foreseen
  return fmt::format("{}/.upsweep-{:08x}{:08x}.part", folder_of(path), random(), random());
}

std::string name_of_descriptor(int descriptor) {
  return fmt::format("/proc/self/fd/{}", descriptor);
}

}  // namespace

PendingFile::PendingFile(std::string path, Name name) : path_(std::move(path)) {
  if (name == Name::none_if_possible) file_ = open_unnamed();
  if (!file_) file_ = open_named();
}

PendingFile::~PendingFile() {
  file_.close();
  if (!name_.empty()) ::unlink(name_.c_str());
}

FileHandle PendingFile::open_unnamed() const {
  FileHandle file(::open(folder_of(path_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
  // Without /proc it could not be given a name.
  if (file && ::access(name_of_descriptor(file.get()).c_str(), F_OK) != 0) file.close();
  return file;
}

FileHandle PendingFile::open_named() {
  for (int attempt = 0; attempt < name_attempts; ++attempt) {
    name_ = random_name(path_);
    FileHandle file(::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (file) return file;
    if (errno != EEXIST) break;
  }
  name_.clear();
  return FileHandle();
}

int PendingFile::link_to(const std::string& name) const {
  const std::string from = name_of_descriptor(file_.get());
  return ::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

int PendingFile::publish() {
  if (::fsync(file_.get()) != 0) return errno;
  // A link does not take the place of a file that is there; a name of its own, renamed, does.
  for (int attempt = 0; name_.empty() && attempt < name_attempts; ++attempt) {
    std::string name = attempt == 0 ? path_ : random_name(path_);
    const int error = link_to(name);
    if (error == 0 && attempt == 0) return 0;
    if (error == 0) name_ = std::move(name);
    if (error != 0 && error != EEXIST) return error;
  }
  if (name_.empty()) return EEXIST;
  if (::close(file_.release()) != 0) return errno;
  if (std::rename(name_.c_str(), path_.c_str()) != 0) return errno;
  name_.clear();
  return 0;
}

}  // namespace upsweep::base
