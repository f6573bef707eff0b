// A shared library loaded at run time, from the first of several places that has it.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace upsweep::runtime {

class DynamicLibrary {
 public:
  // Tries the candidates (names for the system's loader, or paths) in turn. On failure the result is empty and `reason`
  // says what was looked for where.
  [[nodiscard]] static std::shared_ptr<DynamicLibrary> open(const std::vector<std::string>& candidates,
                                                            std::string& reason);
  DynamicLibrary(const DynamicLibrary&) = delete;
  DynamicLibrary& operator=(const DynamicLibrary&) = delete;
  ~DynamicLibrary();

  [[nodiscard]] void* symbol(const char* name) const noexcept;     // nullptr if there is none
  [[nodiscard]] const std::string& name() const { return name_; }  // the candidate that was found
  // What tells its builds apart: the linker's build ID, "build 65be0db3..."; of a library without one its file's size
  // and time, "file of 109338064 bytes of 1760564160.0".
  [[nodiscard]] std::string build() const;

 private:
  DynamicLibrary(void* handle, std::string name) : handle_(handle), name_(std::move(name)) {}
  void* handle_;
  std::string name_;
};

}  // namespace upsweep::runtime
