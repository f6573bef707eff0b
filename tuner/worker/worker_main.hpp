// The main loop of a worker process: answers requests until there are no more.
#pragma once

#include <string>

#include "runtime/device.hpp"

namespace upsweep::tuner {

// What two processes must agree on to speak of the same device: identity and limits, as text.
[[nodiscard]] std::string describe_device(const runtime::Device& device);

// Serves the process that started this one, which it talks to through standard input; what is printed from now on goes
// to standard error. Returns the exit code when there are no more requests; ends the process at once when the other
// side is gone, whatever runs. Throws UsageError where standard input is no socket.
int worker_main();

}  // namespace upsweep::tuner
