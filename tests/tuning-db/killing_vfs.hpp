// Ends the process in the middle of SQLite's work on files: at the n-th write, sync, truncation or deletion.
#pragma once

#include <sqlite3.h>
#include <unistd.h>

namespace upsweep::tuning_db {

class KillingVfs {
 public:
  static constexpr int exit_code = 9;

  // To be called in a process of its own, before it opens a database: what is opened from then on counts. Writes are
  // torn: half of the n-th one's bytes reach the file.
  static void kill_at(int operation) {
    static sqlite3_vfs vfs;
    left_ = operation;
    real_ = sqlite3_vfs_find(nullptr);
    vfs = *real_;
    vfs.zName = "killing";
    vfs.xOpen = open;
    vfs.xDelete = remove;
    sqlite3_vfs_register(&vfs, 1);
  }

 private:
  static void count() {
    if (--left_ == 0) ::_exit(exit_code);
  }

  static int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
    const int code = real_->xOpen(vfs, name, file, flags, out_flags);
    if (file->pMethods == nullptr) return code;
    real_methods_ = file->pMethods;
    methods_ = *file->pMethods;
    methods_.xWrite = write;
    methods_.xSync = sync;
    methods_.xTruncate = truncate;
    file->pMethods = &methods_;
    return code;
  }
  static int remove(sqlite3_vfs* vfs, const char* name, int sync_folder) {
    count();
    return real_->xDelete(vfs, name, sync_folder);
  }
  static int write(sqlite3_file* file, const void* data, int bytes, sqlite3_int64 offset) {
    if (left_ == 1) (void)real_methods_->xWrite(file, data, bytes / 2, offset);
    count();
    return real_methods_->xWrite(file, data, bytes, offset);
  }
  static int sync(sqlite3_file* file, int flags) {
    count();
    return real_methods_->xSync(file, flags);
  }
  static int truncate(sqlite3_file* file, sqlite3_int64 size) {
    count();
    return real_methods_->xTruncate(file, size);
  }

  static inline int left_ = 0;
  static inline sqlite3_vfs* real_ = nullptr;
  static inline const sqlite3_io_methods* real_methods_ = nullptr;
  static inline sqlite3_io_methods methods_{};
};

}  // namespace upsweep::tuning_db
