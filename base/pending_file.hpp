// A file that is written beside the one whose place it will take.
#pragma once

#include <string>

#include "base/file_handle.hpp"

namespace upsweep::base {

// Has no name until publish() where the system can do that (O_TMPFILE), so that nothing is left of it if the process is
// killed. Elsewhere (NFS, some overlays) it has one that nobody can guess, in the same folder, and a killed process
// leaves it there.
class PendingFile {
 public:
  enum class Name { none_if_possible, random };

  // In the folder of `path`, with the permissions of a new file there. On failure descriptor() is -1 and errno says
  // why.
  explicit PendingFile(std::string path, Name name = Name::none_if_possible);
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  [[nodiscard]] int descriptor() const noexcept { return file_.get(); }

  // Brings what was written to the disk and the file in the place of `path`, at once. Returns 0 or the errno of what
  // failed; then `path` is as it was.
  [[nodiscard]] int publish();

 private:
  [[nodiscard]] FileHandle open_unnamed() const;
  [[nodiscard]] FileHandle open_named();
  [[nodiscard]] int link_to(const std::string& name) const;

  std::string path_;
  std::string name_;  // empty while the file has none
  FileHandle file_;
};

}  // namespace upsweep::base
