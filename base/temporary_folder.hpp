// A temporary folder, which its object removes in the end.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "base/file_handle.hpp"

namespace upsweep::base {

// Private to the user, in the system's folder of temporary files, locked, and removed with this object. What processes
// that were killed have left there of the same prefix is removed when a process makes its first one.
class TemporaryFolder {
 public:
  // prefix: what its name begins with, "upsweep-compile-". Throws std::system_error where it cannot be made.
  explicit TemporaryFolder(const std::string& prefix);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  [[nodiscard]] bool make(const std::string& pattern);

  std::filesystem::path path_;
  FileHandle lock_;  // held as long as the folder is in use; none on file systems that have no locks
};

// Removes the folders of this prefix in the system's folder of temporary files that no process holds and that are
// older than `age`. A younger one may be about to be locked: removing it does no harm, but its maker has to try again.
void remove_left_folders(const std::string& prefix, std::chrono::seconds age = std::chrono::minutes(1));

}  // namespace upsweep::base
