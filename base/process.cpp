#include "base/process.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/cancellation.hpp"
#include "base/file_handle.hpp"
#include "base/find_program.hpp"

namespace upsweep::base {
namespace {

std::string joined(const std::vector<std::string>& folders) {
  std::string text;
  for (const std::string& folder : folders) text += (text.empty() ? "" : ":") + folder;
  return text;
}

Variables variables_of(const ProcessOptions& options) {
  Variables variables = options.variables;
  const std::vector<std::string> folders = program_folders();
  // An empty one would mean the current folder.
  variables.emplace_back("PATH", folders.empty() ? "/usr/bin:/bin" : joined(folders));
  return variables;
}

StandardStreams streams_of(const Pipe& output) {
  return {.output = output.writing.get(), .error = output.writing.get()};
}

// Kills the process if nobody has waited for it: whoever did was cancelled.
class Child {
 public:
  explicit Child(pid_t process) : process_(process) {}
  ~Child() {
    if (waited_) return;
    kill_group(process_);
    int ignored = 0;
    static_cast<void>(wait_for(process_, ignored));
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // False: its end was not left to us.
  [[nodiscard]] bool wait(int& status) noexcept {
    waited_ = true;
    return wait_for(process_, status);
  }

 private:
  pid_t process_;
  bool waited_ = false;
};

// Reads to the end, so that the program never waits for us; keeps a bounded part. Throws Cancelled.
std::string read_to_end(int descriptor, std::size_t most) {
  constexpr int look_ms = 20;  // for a cancellation
  std::string text;
  std::array<char, 1 << 16> part;
  for (;;) {
    throw_if_cancelled();
    pollfd file{.fd = descriptor, .events = POLLIN, .revents = 0};
    if (::poll(&file, 1, look_ms) <= 0) continue;
    const ssize_t count = ::read(descriptor, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(part.data(), std::min(static_cast<std::size_t>(count), most - text.size()));
  }
}

// Where SIGCHLD is ignored, the kernel forgets how children ended.
bool children_are_forgotten() {
  struct sigaction now {};
  return ::sigaction(SIGCHLD, nullptr, &now) == 0 && (now.sa_handler == SIG_IGN || (now.sa_flags & SA_NOCLDWAIT) != 0);
}

struct End {
  int error = 0;  // why it was not started
  int status = 0;
};

// Runs in a forked process that does nothing else and is told how its own children end.
[[noreturn]] void start_and_tell(const Program& program, Pipe& output, const Pipe& told) noexcept {
  // After a fork of a process with threads nothing may be allocated and no lock taken.
  ::setpgid(0, 0);
  ::signal(SIGCHLD, SIG_DFL);
  End end;
  pid_t process = 0;
  end.error = program.start(process);
  output.writing.close();
  if (end.error == 0 && !wait_for(process, end.status)) end.error = ECHILD;
  while (::write(told.writing.get(), &end, sizeof end) < 0 && errno == EINTR) {
  }
  ::_exit(0);
}

// The output of a program whose end this process would not be told: a forked process waits for it.
std::string run_below_another(const Program& program, Pipe& output, std::size_t most, End& end) {
  Pipe told = open_pipe();
  const pid_t between = ::fork();
  throw_if_error(between < 0 ? errno : 0, "fork");
  if (between == 0) start_and_tell(program, output, told);
  Child child(between);
  output.writing.close();
  told.writing.close();
  std::string text = read_to_end(output.reading.get(), most);
  const std::string bytes = read_to_end(told.reading.get(), sizeof end);
  int ignored = 0;
  static_cast<void>(child.wait(ignored));
  if (bytes.size() != sizeof end) throw std::system_error(ECHILD, std::generic_category(), program.path());
  std::memcpy(&end, bytes.data(), sizeof end);
  return text;
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& arguments, const ProcessOptions& options) {
  const Variables variables = variables_of(options);
  ProcessResult result;
  End end;
  bool known = false;
  if (!children_are_forgotten()) {
    Pipe output = open_pipe();
    const Program program(arguments, variables, streams_of(output));
    pid_t process = 0;
    throw_if_error(program.start(process), program.path());
    Child child(process);
    output.writing.close();
    result.output = read_to_end(output.reading.get(), options.most_output_bytes);
    known = child.wait(end.status);
  }
  if (!known) {  // or another thread has waited for all children: programs that compile may run twice
    Pipe output = open_pipe();
    const Program program(arguments, variables, streams_of(output));
    result.output = run_below_another(program, output, options.most_output_bytes, end);
    throw_if_error(end.error, program.path());
  }
  if (WIFSIGNALED(end.status)) {
    result.signal = WTERMSIG(end.status);
  } else {
    result.exit_code = WEXITSTATUS(end.status);
  }
  return result;
}

}  // namespace upsweep::base
