// A process that this one started, talks to in lines, and can end at any time.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "base/file_handle.hpp"
#include "base/spawn.hpp"

namespace upsweep::base {

// The child's standard input and output are one socket. Of what the child writes to standard error, the end is kept.
// The child leads a process group, so that Ctrl-C in a terminal does not reach it, and inherits no other descriptor. An
// object is for one thread at a time.
class ChildProcess {
 public:
  using Clock = std::chrono::steady_clock;

  // command[0] is the program's path; its environment is this process's own and `variables`. Throws std::system_error
  // if it cannot be started.
  ChildProcess(const std::vector<std::string>& command, const Variables& variables);
  // Kills the child and all of its group.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Sends a line, to which a newline is added. False if the child no longer listens.
  [[nodiscard]] bool send(const std::string& line);

  enum class Received { line, nothing, end };
  // `line`: the child's next line, without the newline. `nothing`: there was none by the deadline. `end`: the child has
  // closed its output, as it does when it ends.
  [[nodiscard]] Received receive(std::string& line, Clock::time_point deadline);

  // Kills the child and all of its group.
  void kill() noexcept;
  // Waits a moment for the child to end by itself, then kills it. Returns how it ended: "killed by signal 11
  // (Segmentation fault)" or "ended with exit code 3".
  [[nodiscard]] std::string end();
  // The last of what the child wrote to standard error, in one line of at most 400 bytes.
  [[nodiscard]] std::string last_words();

 private:
  void read_log();
  [[nodiscard]] bool read_output();  // false at its end
  [[nodiscard]] bool take_line(std::string& line);
  [[nodiscard]] bool reap(std::chrono::milliseconds patience) noexcept;

  FileHandle socket_;
  FileHandle log_;
  pid_t process_ = -1;
  bool reaped_ = false;
  int status_ = 0;
  std::string received_;  // and not yet taken
  std::string words_;
};

}  // namespace upsweep::base
