// Starts programs, and ends them.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace upsweep::base {

// Variables of the environment and their values.
using Variables = std::vector<std::pair<std::string, std::string>>;

// The descriptors of this process that become a program's standard streams.
struct StandardStreams {
  int input = -1;  // -1: /dev/null
  int output = -1;
  int error = -1;
};

// What a program inherits of this process's other descriptors.
enum class OtherDescriptors {
  inheritable,  // those without FD_CLOEXEC
  none
};

// A program, its arguments and its environment, made ready: start() allocates nothing and takes no lock, so that it may
// follow a fork of a process with threads.
class Program {
 public:
  // command[0] is the program's path; no shell is involved. The environment is this process's own, with `variables` in
  // place of those of the same name. Throws std::system_error.
  Program(std::vector<std::string> command, const Variables& variables, const StandardStreams& streams,
          OtherDescriptors others = OtherDescriptors::inheritable);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();

  [[nodiscard]] const char* path() const noexcept;

  // Starts it as the leader of a new process group: Ctrl-C in a terminal goes to the whole group in the foreground, and
  // would end a compiler in the middle of a file while its caller means to stop in good order, with a failure to show
  // for it. Signals are as a fresh process has them. Returns 0, or the errno that says why it cannot be started.
  [[nodiscard]] int start(pid_t& process) const noexcept;

 private:
  class FileActions;
  class Attributes;
  struct Prepared;
  std::unique_ptr<const Prepared> prepared_;
};

// Kills a process that start() started, and what it has started: its group.
void kill_group(pid_t process) noexcept;

// Waits for a child to end, and returns the status of waitpid(). False: somebody else has waited for it.
[[nodiscard]] bool wait_for(pid_t process, int& status) noexcept;

}  // namespace upsweep::base
