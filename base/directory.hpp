// A directory that only this user can write, and files in it that appear whole or not at all.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_handle.hpp"

namespace upsweep::base {

// All access is relative to the directory that was opened and checked, so that nothing put in its place later counts.
class Directory {
 public:
  // Makes the directory and its parents, for this user alone, where they are missing. Returns the reason of a failure.
  [[nodiscard]] static std::optional<std::string> create(const std::filesystem::path& path);
  // Nothing, with the reason, for a directory that cannot be opened or that others own or may write. `missing` is set
  // if it just does not exist.
  [[nodiscard]] static std::optional<Directory> open(const std::filesystem::path& path, std::string& reason,
                                                     bool& missing);

  struct File {
    std::string name;
    std::uint64_t bytes = 0;
    timespec modified{};
  };
  [[nodiscard]] std::vector<File> files() const;  // regular files only, in no order

  // The whole content, and marks the file as used now. Nothing if there is no such file; no bytes if it is of no use:
  // no regular file of this user's alone, or larger than `max_bytes`.
  [[nodiscard]] std::optional<std::vector<std::byte>> read(const std::string& name, std::uint64_t max_bytes) const;
  // The first bytes of a file, at most `count`; empty where it cannot be read.
  [[nodiscard]] std::vector<std::byte> read_start(const std::string& name, std::size_t count) const;
  // Under a temporary name first, so that readers see the old content or the new one. Returns the reason of a failure.
  [[nodiscard]] std::optional<std::string> write(const std::string& name, std::span<const std::byte> bytes) const;
  bool remove(const std::string& name) const noexcept;

  // What `write` leaves behind where the process dies.
  [[nodiscard]] static bool is_temporary(std::string_view name) noexcept;

 private:
  explicit Directory(FileHandle handle) : handle_(std::move(handle)) {}
  struct Opened {
    FileHandle file;       // none where it is of no use
    bool missing = false;  // or cannot be had at the moment
    std::uint64_t bytes = 0;
  };
  [[nodiscard]] Opened open_file(const std::string& name) const;

  FileHandle handle_;
};

}  // namespace upsweep::base
