// A folder for what a tune needs until its end: candidates' binaries, compilers' files.
#pragma once

#include <filesystem>

#include "runtime/cache/binary_cache.hpp"
#include "tuner/worker/child_process.hpp"

namespace upsweep::tuner {

// Private to the user, in the system's folder of temporary files, and removed with this object. What tunes that were
// killed have left there is removed when the next one begins.
class ScratchFolder {
 public:
  // Throws InputError where it cannot be made.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  // Of binaries that are not worth keeping.
  [[nodiscard]] runtime::BinaryCache::Options cache() const;
  // Has workers use that cache, and put their temporary files here.
  [[nodiscard]] ChildProcess::Variables variables() const;

 private:
  std::filesystem::path path_;
  runtime::FileHandle lock_;  // held as long as the folder is in use
};

}  // namespace upsweep::tuner
