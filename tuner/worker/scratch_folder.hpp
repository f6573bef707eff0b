// The temporary folder of a tune: binaries of candidates and files of compilers.
#pragma once

#include <filesystem>

#include "base/child_process.hpp"
#include "base/temporary_folder.hpp"
#include "runtime/cache/binary_cache.hpp"

namespace upsweep::tuner {

class ScratchFolder {
 public:
  // Throws InputError where it cannot be made.
  ScratchFolder();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return folder_.path(); }
  // Of binaries that are not worth keeping.
  [[nodiscard]] runtime::BinaryCache::Options cache() const;
  // Has workers use that cache, and put their temporary files here.
  [[nodiscard]] base::Variables variables() const;

 private:
  base::TemporaryFolder folder_;
};

}  // namespace upsweep::tuner
