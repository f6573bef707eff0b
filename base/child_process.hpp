// A process that this one started, talks to in lines, and can end at any time.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "base/file_handle.hpp"
#include "base/spawn.hpp"

namespace upsweep::base {

// Its standard input and output are one socket; what it writes to standard error is kept, the end of it. It leads a
// process group, so that Ctrl-C in a terminal does not reach it, and inherits no other descriptor. For one thread at a
// time.
class ChildProcess {
 public:
  using Clock = std::chrono::steady_clock;

  // command[0] is the program's path; its environment is this process's own and `variables`. Throws std::system_error
  // if it cannot be started.
  ChildProcess(const std::vector<std::string>& command, const Variables& variables);
  // Ends it and all of its group.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // A line, to which a newline is added. False if it no longer listens.
  [[nodiscard]] bool send(const std::string& line);

  enum class Received { line, nothing, end };
  // Its next line, without the newline; nothing by the deadline; or it closed its output, which it does when it ends.
  [[nodiscard]] Received receive(std::string& line, Clock::time_point deadline);

  // Kills it and all of its group.
  void kill() noexcept;
  // Waits a moment for it to end by itself, then kills it. How it ended: "killed by signal 11 (Segmentation fault)" or
  // "ended with exit code 3".
  [[nodiscard]] std::string end();
  // The last of what it wrote to standard error, in one line of at most 400 bytes.
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
