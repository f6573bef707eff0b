#include "base/temporary_folder.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <set>
#include <system_error>
#include <vector>

namespace upsweep::base {
namespace {

constexpr const char* lock_name = "lock";
constexpr char removed_suffix = '~';
constexpr int folder_attempts = 100;

FileHandle open_lock(const std::filesystem::path& folder) {
  return FileHandle(::open((folder / lock_name).c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
}

enum class Locked { yes, by_another, impossible };

// A file that was removed by another who held the lock is another's, too.
Locked lock(const FileHandle& file) {
  if (!file) return errno == ENOENT ? Locked::by_another : Locked::impossible;
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    return errno == EWOULDBLOCK ? Locked::by_another : Locked::impossible;
  }
  struct stat status {};
  return ::fstat(file.get(), &status) == 0 && status.st_nlink > 0 ? Locked::yes : Locked::by_another;
}

bool is_older(const std::filesystem::path& folder, std::chrono::seconds age) {
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != ::geteuid()) return false;
  const auto changed = std::chrono::system_clock::from_time_t(status.st_mtime);
  return std::chrono::system_clock::now() - changed > age;
}

// Renames the folder before its files are removed: a process that is about to lock it then finds no folder, and never
// a new lock file in a folder whose files are being removed.
void remove_unless_held(const std::filesystem::path& folder) {
  const FileHandle held = open_lock(folder);
  if (lock(held) != Locked::yes) return;
  std::error_code failed;
  std::filesystem::path removed = folder;
  if (folder.native().back() != removed_suffix) {
    removed += removed_suffix;
    std::filesystem::rename(folder, removed, failed);
  }
  if (!failed) std::filesystem::remove_all(removed, failed);
}

// Once in a process: listing a great folder takes time.
void remove_left_folders_once(const std::filesystem::path& parent, const std::string& prefix) {
  static std::mutex mutex;
  static auto& done = *new std::set<std::filesystem::path>;  // never destroyed: static objects compile at exit
  {
    const std::lock_guard guard(mutex);
    if (!done.insert(parent / prefix).second) return;
  }
  remove_left_folders(prefix);
}

}  // namespace

void remove_left_folders(const std::string& prefix, std::chrono::seconds age) {
  std::error_code ignored;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(ignored);
  // Listed first: a process that makes a folder again and again does not keep this loop running.
  std::vector<std::filesystem::path> left;
  std::filesystem::directory_iterator entries(parent, ignored);
  for (; !ignored && entries != std::filesystem::directory_iterator(); entries.increment(ignored)) {
    if (entries->path().filename().string().starts_with(prefix)) left.push_back(entries->path());
  }
  for (const std::filesystem::path& folder : left) {
    if (is_older(folder, age)) remove_unless_held(folder);
  }
}

TemporaryFolder::TemporaryFolder(const std::string& prefix) {
  const std::filesystem::path parent = std::filesystem::temp_directory_path();
  remove_left_folders_once(parent, prefix);
  const std::string pattern = (parent / (prefix + "XXXXXX")).string();
  for (int attempt = 0; attempt < folder_attempts; ++attempt) {
    if (make(pattern)) return;
  }
  throw std::system_error(EBUSY, std::generic_category(), pattern);
}

// False: another process took it for one that was left, because this one was held up before it had the lock.
bool TemporaryFolder::make(const std::string& pattern) {
  std::string name = pattern;
  if (::mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), pattern);
  lock_ = open_lock(name);
  if (lock(lock_) == Locked::by_another) return false;
  path_ = name;
  return true;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace upsweep::base
