// A folder for what a tune needs until its end: candidates' binaries, compilers' files.
#pragma once

#include <filesystem>

#include "runtime/cache/binary_cache.hpp"
#include "runtime/temporary_folder.hpp"
#include "tuner/worker/child_process.hpp"

namespace upsweep::tuner {

class ScratchFolder {
 public:
  // Throws InputError where it cannot be made.
  ScratchFolder();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return folder_.path(); }
  // Of binaries that are not worth keeping.
  [[nodiscard]] runtime::BinaryCache::Options cache() const;
  // Has workers use that cache, and put their temporary files here.
  [[nodiscard]] ChildProcess::Variables variables() const;

 private:
  runtime::TemporaryFolder folder_;
};

}  // namespace upsweep::tuner
