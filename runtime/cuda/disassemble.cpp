#include "runtime/cuda/disassemble.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <upsweep/error.hpp>

#include "runtime/cuda/nvrtc_compiler.hpp"
#include "runtime/environment.hpp"

namespace upsweep::runtime {
namespace {

[[noreturn]] void fail(const char* what) {
  throw CompilerError(
      fmt::format("disassembling failed: cannot {}: {}; see `upsweep doctor`", what, std::strerror(errno)));
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { close(); }
  [[nodiscard]] int get() const { return descriptor_; }
  void close() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
  }

 private:
  int descriptor_;
};

// A file with these bytes that only this user can read, gone with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::span<const std::byte> bytes) {
    std::error_code error;
    path_ = (std::filesystem::temp_directory_path(error) / "upsweep-XXXXXX.cubin").string();
    errno = error.value();
    if (error) fail("use the folder for temporary files (TMPDIR)");
    const FileDescriptor file(mkostemps(path_.data(), 6, O_CLOEXEC));
    if (file.get() < 0) fail("make a temporary file");
    while (!bytes.empty()) {
      const ssize_t written = write(file.get(), bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) {
        unlink(path_.c_str());
        fail("write a temporary file");
      }
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { unlink(path_.c_str()); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct Finished {
  int status = 0;  // as waitpid gives it
  std::string output;
};

// Runs a program without a shell and collects what it writes, errors included.
Finished run(const std::vector<std::string>& arguments) {
  std::array<int, 2> ends{-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("make a pipe");
  const FileDescriptor from(ends[0]);
  FileDescriptor to(ends[1]);

  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, to.get(), STDERR_FILENO);
  pid_t child = 0;
  errno = posix_spawn(&child, argv.front(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (errno != 0) fail("start the disassembler");
  to.close();

  Finished finished;
  std::array<char, 1 << 16> part;
  for (;;) {
    const ssize_t count = read(from.get(), part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    finished.output.append(part.data(), static_cast<std::size_t>(count));
  }
  while (waitpid(child, &finished.status, 0) < 0) {
    if (errno != EINTR) fail("wait for the disassembler");
  }
  return finished;
}

// The command that disassembles a file, empty if no folder has a tool for it.
std::vector<std::string> command(const std::vector<std::string>& folders, const std::string& file) {
  for (const std::string& folder : folders) {
    const std::string nvdisasm = folder + "/nvdisasm";
    if (access(nvdisasm.c_str(), X_OK) == 0) return {nvdisasm, file};
    const std::string cuobjdump = folder + "/cuobjdump";
    if (access(cuobjdump.c_str(), X_OK) == 0) return {cuobjdump, "--dump-sass", file};
  }
  return {};
}

}  // namespace

std::string disassemble(std::span<const std::byte> cubin, const std::vector<std::string>& folders) {
  const TemporaryFile file(cubin);
  const std::vector<std::string> arguments = command(folders, file.path());
  if (arguments.empty()) {
    throw CompilerError(
        fmt::format("neither nvdisasm nor cuobjdump was found (looked in {}): install the CUDA toolkit (package "
                    "cuda-nvdisasm or cuda-cuobjdump) and set CUDA_HOME to its folder",
                    fmt::join(folders, ", ")));
  }
  Finished finished = run(arguments);
  if (WIFEXITED(finished.status) && WEXITSTATUS(finished.status) == 0) return std::move(finished.output);
  const std::string how = WIFEXITED(finished.status) ? fmt::format("status {}", WEXITSTATUS(finished.status))
                                                     : fmt::format("signal {}", WTERMSIG(finished.status));
  throw CompilerError(fmt::format("{} failed with {}: {}; use the tool of the CUDA version that compiled the kernel",
                                  arguments.front(), how, finished.output.substr(0, finished.output.find('\n'))),
                      finished.output);
}

std::string disassemble(std::span<const std::byte> cubin) {
  std::vector<std::string> folders;
  std::istringstream path(environment("PATH").value_or("/usr/bin:/bin"));
  for (std::string folder; std::getline(path, folder, ':');) {
    if (!folder.empty()) folders.push_back(folder);  // an empty one would be the working directory
  }
  for (const std::string& root : cuda_roots()) folders.push_back(root + "/bin");
  return disassemble(cubin, folders);
}

}  // namespace upsweep::runtime
