#include "base/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>

#include "base/cancellation.hpp"
#include "base/environment.hpp"

extern char** environ;

namespace upsweep::base {
namespace {

bool is_executable(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

void check(int error, const char* what) {
  if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

class Pipe {
 public:
  Pipe() { check(::pipe2(ends_.data(), O_CLOEXEC) == 0 ? 0 : errno, "pipe"); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    ::close(ends_[0]);
    close_writing();
  }
  [[nodiscard]] int reading() const noexcept { return ends_[0]; }
  [[nodiscard]] int writing() const noexcept { return ends_[1]; }
  void close_writing() noexcept {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

class FileActions {
 public:
  FileActions() { check(::posix_spawn_file_actions_init(&actions_), "posix_spawn_file_actions_init"); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  void null_input() {
    check(::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0), "addopen");
  }
  void duplicate(int from, int to) { check(::posix_spawn_file_actions_adddup2(&actions_, from, to), "adddup2"); }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const noexcept { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

// The program gets a process group of its own: Ctrl-C in a terminal goes to the whole group in the foreground, and
// would end a compiler in the middle of a file while its caller means to stop in good order, with a failure to show for
// it. Signals are as a fresh process has them.
class Attributes {
 public:
  Attributes() {
    check(::posix_spawnattr_init(&attributes_), "posix_spawnattr_init");
    sigset_t none, standard;
    ::sigemptyset(&none);
    ::sigemptyset(&standard);
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGCHLD, SIGHUP}) ::sigaddset(&standard, signal);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &standard);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
  [[nodiscard]] const posix_spawnattr_t* get() const noexcept { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

std::string joined(const std::vector<std::string>& folders) {
  std::string text;
  for (const std::string& folder : folders) text += (text.empty() ? "" : ":") + folder;
  return text;
}

std::vector<std::string> environment_with(const ProcessOptions& options) {
  auto variables = options.variables;
  const std::vector<std::string> folders = program_folders();
  // An empty one would mean the current folder.
  variables.emplace_back("PATH", folders.empty() ? "/usr/bin:/bin" : joined(folders));
  std::vector<std::string> all;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    const std::string_view entry(*each);
    const std::string_view name = entry.substr(0, entry.find('='));
    const bool replaced =
        std::any_of(variables.begin(), variables.end(), [&](const auto& own) { return own.first == name; });
    if (!replaced) all.emplace_back(entry);
  }
  for (const auto& [name, value] : variables) all.push_back(name + "=" + value);
  return all;
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// Everything made ready, so that starting it allocates nothing.
class Program {
 public:
  Program(const std::vector<std::string>& arguments, const ProcessOptions& options, const Pipe& output)
      : environment_(environment_with(options)),
        arguments_(pointers_to(arguments)),
        entries_(pointers_to(environment_)) {
    actions_.null_input();
    actions_.duplicate(output.writing(), STDOUT_FILENO);
    actions_.duplicate(output.writing(), STDERR_FILENO);
  }
  // 0, or why it cannot be started.
  [[nodiscard]] int start(pid_t& process) const noexcept {
    return ::posix_spawn(&process, arguments_[0], actions_.get(), attributes_.get(), arguments_.data(),
                         entries_.data());
  }
  [[nodiscard]] const char* path() const noexcept { return arguments_[0]; }

 private:
  std::vector<std::string> environment_;
  std::vector<char*> arguments_, entries_;
  Attributes attributes_;
  FileActions actions_;
};

// False: its end was not left to us.
bool wait_for(pid_t process, int& status) noexcept {
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

// Ends it if nobody has waited for it: whoever did was cancelled.
class Child {
 public:
  explicit Child(pid_t process) : process_(process) {}
  ~Child() {
    if (waited_) return;
    ::kill(-process_, SIGKILL);  // its group: what it has started
    ::kill(process_, SIGKILL);
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
std::string read_all(int descriptor, std::size_t most) {
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

// As a child of a process that does nothing else, whose children are its own affair.
[[noreturn]] void start_and_tell(const Program& program, Pipe& output, const Pipe& told) noexcept {
  // After a fork of a process with threads nothing may be allocated and no lock taken.
  ::setpgid(0, 0);
  ::signal(SIGCHLD, SIG_DFL);
  End end;
  pid_t process = 0;
  end.error = program.start(process);
  output.close_writing();
  if (end.error == 0 && !wait_for(process, end.status)) end.error = ECHILD;
  while (::write(told.writing(), &end, sizeof end) < 0 && errno == EINTR) {
  }
  ::_exit(0);
}

// The output and the end of a program whose end this process would not be told.
std::string run_below_another(const Program& program, Pipe& output, std::size_t most, End& end) {
  Pipe told;
  const pid_t between = ::fork();
  check(between < 0 ? errno : 0, "fork");
  if (between == 0) start_and_tell(program, output, told);
  Child child(between);
  output.close_writing();
  told.close_writing();
  std::string text = read_all(output.reading(), most);
  const std::string bytes = read_all(told.reading(), sizeof end);
  int ignored = 0;
  static_cast<void>(child.wait(ignored));
  if (bytes.size() != sizeof end) throw std::system_error(ECHILD, std::generic_category(), program.path());
  std::memcpy(&end, bytes.data(), sizeof end);
  return text;
}

}  // namespace

std::vector<std::string> program_folders() {
  const std::string variable = environment("PATH").value_or("/usr/local/bin:/usr/bin:/bin");
  std::vector<std::string> all;
  for (std::string_view folders = variable; !folders.empty();) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    folders.remove_prefix(std::min(folders.size(), folder.size() + 1));
    if (folder.starts_with('/')) all.emplace_back(folder);
  }
  return all;
}

std::string find_program(const std::string& name) {
  if (name.empty()) return {};
  if (name.find('/') != std::string::npos) return is_executable(name) ? name : std::string();
  for (const std::string& folder : program_folders()) {
    std::string path = folder + "/" + name;
    if (is_executable(path)) return path;
  }
  return {};
}

ProcessResult run_process(const std::vector<std::string>& arguments, const ProcessOptions& options) {
  ProcessResult result;
  End end;
  bool known = false;
  if (!children_are_forgotten()) {
    Pipe output;
    const Program program(arguments, options, output);
    pid_t process = 0;
    check(program.start(process), program.path());
    Child child(process);
    output.close_writing();
    result.output = read_all(output.reading(), options.most_output_bytes);
    known = child.wait(end.status);
  }
  if (!known) {  // or another thread has waited for all children: programs that compile may run twice
    Pipe output;
    const Program program(arguments, options, output);
    result.output = run_below_another(program, output, options.most_output_bytes, end);
    check(end.error, program.path());
  }
  if (WIFSIGNALED(end.status)) {
    result.signal = WTERMSIG(end.status);
  } else {
    result.exit_code = WEXITSTATUS(end.status);
  }
  return result;
}

}  // namespace upsweep::base
