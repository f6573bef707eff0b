// The real command as a child process, with pipes or a terminal, and signals.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/spawn.hpp"

namespace upsweep::cli {

// Both of its output streams are one terminal, or one pipe.
class Child {
 public:
  // columns: of the terminal; 0: a pipe.
  explicit Child(std::vector<std::string> arguments, unsigned short columns = 0) {
    std::array<int, 2> ends{};
    columns > 0 ? open_terminal(ends, columns) : open_pipe(ends);
    reading_ = ends[0];
    arguments.insert(arguments.begin(), UPSWEEP_COMMAND);
    const base::Program program(std::move(arguments), {}, {.output = ends[1], .error = ends[1]});
    const int error = program.start(process_);
    ::close(ends[1]);
    if (error != 0) throw std::runtime_error("the command cannot be started: " UPSWEEP_COMMAND);
  }
  ~Child() {
    if (process_ > 0) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
    ::close(reading_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void signal(int number) const { ::kill(process_, number); }

  // Reads until it has written that, or has ended. A minute means that it hangs.
  [[nodiscard]] bool writes(const std::string& part) {
    while (text_.find(part) == std::string::npos) {
      if (!read()) return false;
    }
    return true;
  }

  // Reads to the end. Its exit code, or minus the signal that ended it.
  [[nodiscard]] int end() {
    while (read()) continue;
    int status = 0;
    if (::waitpid(process_, &status, over() ? WNOHANG : 0) != process_) return -SIGKILL;
    process_ = -1;
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  }

  // What it has written so far, both streams.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  static void open_terminal(std::array<int, 2>& ends, unsigned short columns) {
    const winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    if (::openpty(&ends[0], &ends[1], nullptr, nullptr, &size) != 0) throw std::runtime_error("no terminal");
    for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
    termios settings{};
    ::tcgetattr(ends[1], &settings);
    ::cfmakeraw(&settings);  // the bytes as they were written
    ::tcsetattr(ends[1], TCSANOW, &settings);
  }
  static void open_pipe(std::array<int, 2>& ends) {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  }
  [[nodiscard]] bool over() const { return std::chrono::steady_clock::now() - begin_ > std::chrono::minutes(1); }

  bool read() {
    pollfd file{.fd = reading_, .events = POLLIN, .revents = 0};
    while (::poll(&file, 1, 100) == 0) {
      if (over()) return false;
    }
    std::array<char, 4096> part;
    const ssize_t count = ::read(reading_, part.data(), part.size());  // a terminal without a writer: EIO
    if (count > 0) text_.append(part.data(), static_cast<std::size_t>(count));
    return count > 0;
  }

  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  pid_t process_ = -1;
  int reading_ = -1;
  std::string text_;
};

}  // namespace upsweep::cli
