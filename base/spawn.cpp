#include "base/spawn.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "base/file_handle.hpp"

extern char** environ;

namespace upsweep::base {
namespace {

std::vector<std::string> environment_with(const Variables& variables) {
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

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

// What becomes of the descriptors.
class Program::FileActions {
 public:
  FileActions(const StandardStreams& streams, OtherDescriptors others) {
    throw_if_error(::posix_spawn_file_actions_init(&actions_), "posix_spawn_file_actions_init");
    if (streams.input < 0) {
      throw_if_error(::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0), "addopen");
    } else {
      duplicate(streams.input, STDIN_FILENO);
    }
    duplicate(streams.output, STDOUT_FILENO);
    duplicate(streams.error, STDERR_FILENO);
    if (others == OtherDescriptors::inheritable) return;
    throw_if_error(::posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1), "addclosefrom");
  }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const noexcept { return &actions_; }

 private:
  void duplicate(int from, int to) {
    throw_if_error(::posix_spawn_file_actions_adddup2(&actions_, from, to), "adddup2");
  }
  posix_spawn_file_actions_t actions_{};
};

// A process group of its own, and signals as a fresh process has them.
class Program::Attributes {
 public:
  Attributes() {
    throw_if_error(::posix_spawnattr_init(&attributes_), "posix_spawnattr_init");
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

struct Program::Prepared {
  std::vector<std::string> command, environment;
  std::vector<char*> arguments, entries;  // point into the texts above
  FileActions actions;
  Attributes attributes;

  Prepared(std::vector<std::string> texts, const Variables& variables, const StandardStreams& streams,
           OtherDescriptors others)
      : command(std::move(texts)),
        environment(environment_with(variables)),
        arguments(pointers_to(command)),
        entries(pointers_to(environment)),
        actions(streams, others) {}
};

Program::Program(std::vector<std::string> command, const Variables& variables, const StandardStreams& streams,
                 OtherDescriptors others)
    : prepared_(std::make_unique<const Prepared>(std::move(command), variables, streams, others)) {}

Program::~Program() = default;

const char* Program::path() const noexcept {
  return prepared_->arguments[0];
}

int Program::start(pid_t& process) const noexcept {
  return ::posix_spawn(&process, path(), prepared_->actions.get(), prepared_->attributes.get(),
                       prepared_->arguments.data(), prepared_->entries.data());
}

void kill_group(pid_t process) noexcept {
  ::kill(-process, SIGKILL);
  ::kill(process, SIGKILL);  // it may not lead its group yet
}

bool wait_for(pid_t process, int& status) noexcept {
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

}  // namespace upsweep::base
