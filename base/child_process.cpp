#include "base/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <thread>

#include <fmt/format.h>

namespace upsweep::base {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kept_log_bytes = 8192;
constexpr std::size_t last_words_bytes = 400;
constexpr std::size_t longest_line = std::size_t{1} << 24;  // longer ones are no message
constexpr milliseconds patience_at_end{2000};               // of a process that closed its output
constexpr milliseconds patience_after_kill{10'000};         // a driver of a device may take seconds to clean up

std::pair<FileHandle, FileHandle> socket_pair() {
  std::array<int, 2> ends{};
  throw_if_error(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0 ? 0 : errno, "socketpair");
  return {FileHandle(ends[0]), FileHandle(ends[1])};
}

Pipe log_pipe() {
  Pipe pipe = open_pipe();
  ::fcntl(pipe.reading.get(), F_SETFL, O_NONBLOCK);
  return pipe;
}

int milliseconds_until(ChildProcess::Clock::time_point deadline) {
  const auto left = std::chrono::ceil<milliseconds>(deadline - ChildProcess::Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000'000));
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command, const Variables& variables) {
  auto [own, its] = socket_pair();
  Pipe log = log_pipe();
  const StandardStreams streams{.input = its.get(), .output = its.get(), .error = log.writing.get()};
  const Program program(command, variables, streams, OtherDescriptors::none);
  throw_if_error(program.start(process_), program.path());
  socket_ = std::move(own);
  log_ = std::move(log.reading);
}

ChildProcess::~ChildProcess() {
  kill();
  // A process that the system cannot end is left to the system.
  static_cast<void>(reap(patience_after_kill));
}

bool ChildProcess::send(const std::string& line) {
  const std::string text = line + "\n";
  std::string_view left = text;
  while (!left.empty()) {
    const ssize_t sent = ::send(socket_.get(), left.data(), left.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    left.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool ChildProcess::take_line(std::string& line) {
  const std::size_t end = received_.find('\n');
  if (end == std::string::npos && received_.size() < longest_line) return false;
  line = received_.substr(0, end);
  received_.erase(0, end == std::string::npos ? end : end + 1);
  return true;
}

bool ChildProcess::read_output() {
  std::array<char, 65536> part;
  const ssize_t count = ::recv(socket_.get(), part.data(), part.size(), MSG_DONTWAIT);
  if (count > 0) received_.append(part.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK));
}

void ChildProcess::read_log() {
  std::array<char, 4096> part;
  for (;;) {
    const ssize_t count = ::read(log_.get(), part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) log_.close();
    if (count <= 0) return;
    words_.append(part.data(), static_cast<std::size_t>(count));
    if (words_.size() > kept_log_bytes) words_.erase(0, words_.size() - kept_log_bytes);
  }
}

ChildProcess::Received ChildProcess::receive(std::string& line, Clock::time_point deadline) {
  for (;;) {
    if (take_line(line)) return Received::line;
    std::array<pollfd, 2> files{
        {{.fd = socket_.get(), .events = POLLIN, .revents = 0}, {.fd = log_.get(), .events = POLLIN, .revents = 0}}};
    const int ready = ::poll(files.data(), files.size(), milliseconds_until(deadline));
    if (ready < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "poll");
    if (ready == 0) return Received::nothing;
    if (ready > 0 && files[1].revents != 0) read_log();
    if (ready > 0 && files[0].revents != 0 && !read_output()) return take_line(line) ? Received::line : Received::end;
    if (Clock::now() > deadline && received_.find('\n') == std::string::npos) return Received::nothing;
  }
}

void ChildProcess::kill() noexcept {
  if (process_ > 0 && !reaped_) kill_group(process_);
}

bool ChildProcess::reap(milliseconds patience) noexcept {
  const Clock::time_point deadline = Clock::now() + patience;
  for (milliseconds pause{0}; process_ > 0 && !reaped_;) {
    const pid_t ended = ::waitpid(process_, &status_, WNOHANG);
    if (ended == process_) reaped_ = true;
    if (ended < 0 && errno != EINTR) {
      reaped_ = true;  // somebody else has waited for it
      status_ = -1;
    }
    if (reaped_ || Clock::now() >= deadline) break;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause + milliseconds(1), milliseconds(20));
  }
  return reaped_;
}

std::string ChildProcess::end() {
  if (!reap(patience_at_end)) {
    kill();
    if (!reap(patience_after_kill)) return "does not end, even after SIGKILL";
  }
  ::kill(-process_, SIGKILL);  // what it has started
  if (status_ == -1) return "ended";
  if (!WIFSIGNALED(status_)) return fmt::format("ended with exit code {}", WEXITSTATUS(status_));
  const char* const description = ::sigdescr_np(WTERMSIG(status_));
  return fmt::format("killed by signal {} ({})", WTERMSIG(status_), description == nullptr ? "unknown" : description);
}

std::string ChildProcess::last_words() {
  if (log_) read_log();
  std::string line = words_;
  while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) line.pop_back();
  if (line.size() > last_words_bytes) line.erase(0, line.size() - last_words_bytes);
  std::replace_if(
      line.begin(), line.end(), [](unsigned char each) { return each < 0x20; }, ' ');
  return line;
}

}  // namespace upsweep::base
