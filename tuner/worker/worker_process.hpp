// A worker process as the tune sees it: takes questions, answers by a deadline, and says how it ended.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "base/child_process.hpp"
#include "tuner/worker/protocol.hpp"

namespace upsweep::tuner {

struct WorkerSettings {
  std::vector<std::string> command;  // the program's path and its arguments, "upsweep" and "worker"
  base::Variables variables;
};

// For one thread at a time.
class WorkerProcess {
 public:
  // Starts it and has it say who it is. Throws DeviceError where it cannot be started or does not speak this protocol
  // and generate what this library generates.
  explicit WorkerProcess(const WorkerSettings& settings, std::chrono::milliseconds patience = std::chrono::seconds(30));

  struct Lost {
    bool hung = false;  // it did not answer in time; else it ended, or talked nonsense
    std::string how;    // "killed by signal 11 (Segmentation fault)", with its last words
  };
  using Heard = std::variant<Answer, Lost>;

  // Sends a request, whose answer `listen` gives. False: it is lost, as `listen` says.
  [[nodiscard]] bool tell(const Request& request) { return process_.send(to_line(request)); }
  // Sends it and waits for the answer, as `listen`.
  [[nodiscard]] Heard ask(const Request& request, std::chrono::milliseconds patience, const std::stop_token& stop = {});
  // Waits for an answer. After Lost it is ended, and nothing can be asked of it any more. It is lost at once when a
  // stop is requested. Throws base::Cancelled, and has killed it, where the calling thread's work is cancelled and no
  // answer comes within a moment.
  [[nodiscard]] Heard listen(std::chrono::milliseconds patience, const std::stop_token& stop = {});

 private:
  [[nodiscard]] base::ChildProcess::Received receive(std::string& line, std::chrono::milliseconds patience,
                                                     const std::stop_token& stop);
  [[nodiscard]] Lost lost(bool hung, const std::string& how);

  base::ChildProcess process_;
};

// "upsweep" by the first of these that is an upsweep of this very version: `preferred` (if it is not empty, nothing
// else counts), $UPSWEEP_WORKER (likewise), the running command itself, the one beside the running program, the one
// that was installed with this library, the first on PATH. The command of a worker, or why there is none.
struct FoundWorker {
  std::optional<WorkerSettings> settings;
  std::string reason;  // where none was found
};
[[nodiscard]] FoundWorker find_worker(const std::string& preferred);

// Says that this process runs the upsweep command, so that it can be its own worker.
void this_is_the_command();

}  // namespace upsweep::tuner
