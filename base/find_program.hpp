// Finds programs in the folders of PATH.
#pragma once

#include <string>
#include <vector>

namespace upsweep::base {

// The folders of PATH, but for relative ones: what lies in the current folder is nobody's choice.
[[nodiscard]] std::vector<std::string> program_folders();

// The program's path, looked up in those folders if it has no slash; empty if there is no such executable.
[[nodiscard]] std::string find_program(const std::string& name);

}  // namespace upsweep::base
