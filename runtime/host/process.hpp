// Runs a program and waits for it.
#pragma once

#include <string>
#include <vector>

namespace upsweep::runtime {

struct ProcessResult {
  int exit_code = 0;   // if signal is 0
  int signal = 0;      // that ended it
  std::string output;  // standard output and standard error, as they came; the first 256 KiB
};

// The program's path, looked up on PATH if it has no slash; empty if there is no such executable.
[[nodiscard]] std::string find_program(const std::string& name);

// arguments[0] is the program's path. No shell is involved. Ctrl-C in a terminal does not reach the program, which ends
// by itself if the caller is killed. Throws std::system_error if it cannot be started.
[[nodiscard]] ProcessResult run_process(const std::vector<std::string>& arguments);

}  // namespace upsweep::runtime
