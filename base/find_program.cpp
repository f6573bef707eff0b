#include "base/find_program.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "base/environment.hpp"

namespace upsweep::base {
namespace {

bool is_executable(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::vector<std::string> program_folders() {
  const std::string variable = environment("PATH").value_or("/usr/local/bin:/usr/bin:/bin");
  std::vector<std::string> all;
  for (std::string_view folders = variable; !folders.empty();) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    folders.remove_prefix(std::min(folders.size(), folder.size() + 1));
    if (folder.starts_with('/')) all.emplace_back(folder);
  }
  return all;
}

std::string find_program(const std::string& name) {
  if (name.empty()) return {};
  if (name.find('/') != std::string::npos) return is_executable(name) ? name : std::string();
  for (const std::string& folder : program_folders()) {
    std::string path = folder + "/" + name;
    if (is_executable(path)) return path;
  }
  return {};
}

}  // namespace upsweep::base
