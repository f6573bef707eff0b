#include "tuner/scratch_folder.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>

#include <fmt/format.h>
#include <upsweep/error.hpp>

namespace upsweep::tuner {
namespace {

constexpr const char* prefix = "upsweep-tune-";
constexpr const char* lock_name = "lock";
constexpr std::uint64_t cache_bytes = std::uint64_t{16} << 30;
// Younger ones may be about to be locked.
constexpr std::chrono::seconds stale_age{60};

runtime::FileHandle lock(const std::filesystem::path& folder, int flags) {
  runtime::FileHandle file(::open((folder / lock_name).c_str(), flags | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (file && ::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return runtime::FileHandle();
  return file;
}

bool is_stale(const std::filesystem::path& folder) {
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != ::geteuid()) return false;
  const auto changed = std::chrono::system_clock::from_time_t(status.st_mtime);
  return std::chrono::system_clock::now() - changed > stale_age;
}

void remove_stale(const std::filesystem::path& parent) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(parent, ignored)) {
    if (!entry.path().filename().string().starts_with(prefix) || !is_stale(entry.path())) continue;
    if (const runtime::FileHandle held = lock(entry.path(), 0)) std::filesystem::remove_all(entry.path(), ignored);
  }
}

}  // namespace

ScratchFolder::ScratchFolder() {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  if (!error) remove_stale(parent);
  std::string name = (parent / (std::string(prefix) + "XXXXXX")).string();
  if (error || ::mkdtemp(name.data()) == nullptr) {
    throw InputError(fmt::format("no temporary folder to tune in ({}): set TMPDIR to a folder that can be written",
                                 error ? error.message() : std::strerror(errno)));
  }
  path_ = name;
  lock_ = lock(path_, O_CREAT);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

runtime::BinaryCache::Options ScratchFolder::cache() const {
  return {.directory = path_ / "kernels", .max_bytes = cache_bytes, .enabled = true};
}

ChildProcess::Variables ScratchFolder::variables() const {
  // What NVRTC finds in its own cache comes without the assembler's report, and thousands of candidates have no place
  // in the user's.
  return {{"TMPDIR", path_.string()},
          {"CUDA_CACHE_DISABLE", "1"},
          {"UPSWEEP_CACHE", "on"},
          {"UPSWEEP_CACHE_DIR", cache().directory.string()},
          {"UPSWEEP_CACHE_SIZE", std::to_string(cache_bytes)}};
}

}  // namespace upsweep::tuner
