// Compiled binaries on disk, shared by the user's processes: one file each, written whole or not at all.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/directory.hpp"

namespace upsweep::runtime {

// Thread-safe, and safe to share a directory with other processes. Nothing here throws for the state of the disk: what
// cannot be read is a miss, what cannot be written is left out, and the first such failure of an object is a warning.
//
// Binaries are code, so they are read only from a directory, and from files in it, that the effective user owns and
// that no one else may write.
class BinaryCache {
 public:
  struct Options {
    std::filesystem::path directory;  // empty: there is none to use
    std::uint64_t max_bytes = std::uint64_t{256} << 20;
    bool enabled = true;  // else `find` and `store` do nothing
  };
  // UPSWEEP_CACHE (on, off), UPSWEEP_CACHE_DIR (else $XDG_CACHE_HOME/upsweep, else $HOME/.cache/upsweep) and
  // UPSWEEP_CACHE_SIZE (bytes, or with K, M, G for powers of 1024). Throws UsageError for a value it cannot read.
  [[nodiscard]] static Options from_environment();

  struct Entry {
    std::string name;      // of the file
    std::string identity;  // as given to `store`; empty if the file is damaged
    std::uint64_t bytes = 0;
    std::chrono::system_clock::time_point last_use;
  };

  explicit BinaryCache(Options options) : options_(std::move(options)) {}

  [[nodiscard]] const Options& options() const noexcept { return options_; }

  // The binary stored under exactly this identity. A file that is damaged in any way is a miss, and removed.
  [[nodiscard]] std::optional<std::vector<std::byte>> find(const std::string& identity);
  // Replaces what was there, then removes the binaries that were not used for longest until max_bytes are kept.
  void store(const std::string& identity, std::span<const std::byte> binary);
  // By last use, latest first.
  [[nodiscard]] std::vector<Entry> list();
  // Removes all entries; returns how many.
  std::size_t clear();

 private:
  enum class Missing { is_fine, create };
  [[nodiscard]] std::optional<base::Directory> open(Missing missing);
  void evict(const base::Directory& directory, const std::string& keep);
  void warn_once(const std::string& reason);

  Options options_;
  std::atomic<bool> warned_ = false;
};

}  // namespace upsweep::runtime
