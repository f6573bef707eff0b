// Runs a program and waits for it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/spawn.hpp"

namespace upsweep::base {

struct ProcessOptions {
  Variables variables = {};                    // of the environment, besides this process's own
  std::size_t most_output_bytes = 256 * 1024;  // what comes after them is dropped
};

struct ProcessResult {
  int exit_code = 0;   // if signal is 0
  int signal = 0;      // that ended it
  std::string output;  // standard output and standard error, as they came
};

// Runs a program to its end. arguments[0] is the program's path. No shell is involved, and the program has no input.
// Its PATH is program_folders(). Ctrl-C in a terminal does not reach the program, which ends by itself if the caller is
// killed. The result is right whatever the caller does with SIGCHLD, and with the ends of children that it did not
// start. Throws std::system_error if the program cannot be started. Where the calling thread's work is cancelled, kills
// the program and throws Cancelled.
[[nodiscard]] ProcessResult run_process(const std::vector<std::string>& arguments, const ProcessOptions& options = {});

}  // namespace upsweep::base
