#include "runtime/host/host_compiler.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <upsweep/error.hpp>

#include "base/environment.hpp"
#include "base/find_program.hpp"
#include "base/process.hpp"
#include "base/temporary_folder.hpp"
#include "runtime/host/host_kernel.hpp"

namespace upsweep::runtime {
namespace {

// -fno-strict-aliasing: vectors move items of any type, which nvcc allows too. -ffp-contract=off: the same rounding on
// every processor. Nothing is linked but the compiler's own helpers, which takes half the time; memcpy and the like
// are found in the process.
constexpr std::array usual_flags{"-std=c++20",
                                 "-O1",
                                 "-fPIC",
                                 "-shared",
                                 "-fexceptions",
                                 "-fvisibility=hidden",
                                 "-fno-strict-aliasing",
                                 "-ffp-contract=off",
                                 "-w",
                                 "-pipe",
                                 "-nostartfiles",
                                 "-nodefaultlibs"};

// ThreadSanitizer's calls, without its library: the compiler puts one before every access.
constexpr const char* watching_flag = "-fsanitize=thread";

// Local variables that a kernel has not set hold a pattern, and not what happens to be in a register, which is often 0:
// a kernel that uses one is wrong in every run.
constexpr const char* fill_locals_flag = "-ftrivial-auto-var-init=pattern";

// What these calls do. Behind the source, which they need. Nothing is watched while the binary is bound.
constexpr const char* watching_text = R"(
#define UPSWEEP_PLAIN extern "C" __attribute__((no_sanitize("thread"))) void
UPSWEEP_PLAIN upsweep_host_access(void* at, u64 bytes, u32 writes) {
  if (bound_host != nullptr) bound_host->access(at, bytes, writes);
}
#define UPSWEEP_WATCH(bytes)                                                                  \
  UPSWEEP_PLAIN __tsan_read##bytes(void* at) { upsweep_host_access(at, bytes, 0); }           \
  UPSWEEP_PLAIN __tsan_write##bytes(void* at) { upsweep_host_access(at, bytes, 1); }          \
  UPSWEEP_PLAIN __tsan_unaligned_read##bytes(void* at) { upsweep_host_access(at, bytes, 0); } \
  UPSWEEP_PLAIN __tsan_unaligned_write##bytes(void* at) { upsweep_host_access(at, bytes, 1); }
UPSWEEP_WATCH(1)
UPSWEEP_WATCH(2)
UPSWEEP_WATCH(4)
UPSWEEP_WATCH(8)
UPSWEEP_WATCH(16)
UPSWEEP_PLAIN __tsan_read_range(void* at, unsigned long bytes) { upsweep_host_access(at, bytes, 0); }
UPSWEEP_PLAIN __tsan_write_range(void* at, unsigned long bytes) { upsweep_host_access(at, bytes, 1); }
UPSWEEP_PLAIN __tsan_func_entry(void*) {}
UPSWEEP_PLAIN __tsan_func_exit() {}
UPSWEEP_PLAIN __tsan_init() {}
extern "C" __global__ void upsweep_host_watched() {}
)";

constexpr const char* install_hint = "install g++, or set UPSWEEP_CXX to a C++20 compiler";

// The compiler's own temporary files go there too.
class CompileFolder {
 public:
  CompileFolder() try : folder_("upsweep-compile-") {
  } catch (const std::system_error& error) {
    throw CompilerError(
        fmt::format("cannot create a temporary folder for compiling ({}): set TMPDIR to a folder that can be written",
                    error.code().message()));
  }
  [[nodiscard]] std::string path() const { return folder_.path().string(); }
  [[nodiscard]] std::string file(const char* name) const { return folder_.file(name); }

 private:
  base::TemporaryFolder folder_;
};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::string variable(const char* name) {
  return base::environment(name).value_or("");
}

std::vector<std::string> find_compiler() {
  for (const char* name : {"UPSWEEP_CXX", "CXX"}) {
    const std::string value = variable(name);
    std::vector<std::string> command = words_of(value);
    if (command.empty()) continue;
    if (!base::find_program(value).empty()) command = {value};  // a path with blanks in it
    command[0] = base::find_program(command[0]);
    if (!command[0].empty()) return command;
    throw CompilerError(
        fmt::format("{} names the compiler {}, which cannot be executed: {}", name, value, install_hint));
  }
  for (const char* name : {"c++", "g++", "clang++"}) {
    std::string path = base::find_program(name);
    if (!path.empty()) return {path};
  }
  throw CompilerError(
      fmt::format("no C++ compiler for the host device: UPSWEEP_CXX and CXX are not set and there is "
                  "no c++, g++ or clang++ on PATH ({}); {}",
                  variable("PATH"), install_hint));
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

// "g++ (Debian 12.2.0-14) 12.2.0" and "Debian clang version 14.0.6" without what is of no interest.
std::string short_version(const std::string& banner) {
  const std::string line = first_line(banner);
  const std::vector<std::string> words = words_of(line);
  constexpr std::string_view clang = "clang version ";
  const std::size_t at = line.find(clang);
  if (at != std::string::npos) return "clang++ " + words_of(line.substr(at + clang.size())).at(0);
  return words.empty() ? "c++" : "g++ " + words.back();
}

// By its short version: GCC before 12 does not know the flag.
bool can_fill_locals(const std::string& version) {
  constexpr std::string_view gcc = "g++ ";
  return !version.starts_with(gcc) || std::atoi(version.c_str() + gcc.size()) >= 12;
}

base::ProcessResult run(const std::vector<std::string>& command, base::ProcessOptions options = {}) {
  options.variables.emplace_back("LC_ALL", "C");  // errors are told by their words
  try {
    return base::run_process(command, options);
  } catch (const std::system_error& error) {
    throw CompilerError(
        fmt::format("the compiler {} cannot be started ({}): {}", command[0], error.code().message(), install_hint));
  }
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw CompilerError(fmt::format("cannot write {}: free some space or set TMPDIR", path));
}

Binary read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());
  return {bytes, bytes + text.size()};
}

// Whether a line of the log says what is wrong with the source: "/tmp/source.cpp:12:5: error: ...". What is wrong with
// the compiler or the machine has no such place, or is called fatal or internal: a full disk, no memory, a part of the
// compiler that was killed.
bool is_refused(const std::string& log, const std::string& source_path) {
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(source_path + ":")) continue;
    const std::size_t place_end = line.find_first_not_of("0123456789:", source_path.size());
    if (place_end != std::string::npos && line.compare(place_end, 7, " error:") == 0) return true;
  }
  return false;
}

// Where a command's options start; a word before them is another of its programs: "ccache g++ -O3".
std::vector<std::string>::const_iterator first_option(const std::vector<std::string>& command) {
  return std::find_if(command.begin(), command.end(), [](const std::string& word) { return word.starts_with('-'); });
}

// The compiler's first error, else its first line.
std::string first_error(const std::string& log) {
  const std::size_t error = log.find("error:");
  const std::size_t newline = error == std::string::npos ? std::string::npos : log.rfind('\n', error);
  return first_line(newline == std::string::npos ? log : log.substr(newline + 1));
}

}  // namespace

const HostCompiler::Found& HostCompiler::found() const {
  const std::lock_guard lock(mutex_);
  if (found_.command.empty()) {
    std::vector<std::string> command = find_compiler();
    std::vector<std::string> asking = command;
    asking.emplace_back("--version");
    const base::ProcessResult result = run(asking);
    if (result.signal != 0 || result.exit_code != 0) {
      throw CompilerError(fmt::format("{} --version failed ({}): {}", fmt::join(command, " "),
                                      first_line(result.output), install_hint));
    }
    found_ = make_found(std::move(command), result.output);
  }
  return found_;
}

// Options of the user's may change what floating-point numbers come out, and how fast.
HostCompiler::Found HostCompiler::make_found(std::vector<std::string> command, const std::string& banner) const {
  Found found{.command = std::move(command), .flags = flags(), .version = short_version(banner), .identity = {}};
  if (can_fill_locals(found.version)) found.flags.emplace_back(fill_locals_flag);
  for (auto word = first_option(found.command); word != found.command.end(); ++word) found.version += " " + *word;
  // The whole command, and the first line of what it says of itself: "g++ (Debian 12.2.0-14+deb12u1) 12.2.0".
  found.identity =
      fmt::format("{} [{}] {}", fmt::join(found.command, " "), first_line(banner), fmt::join(found.flags, " "));
  return found;
}

std::string HostCompiler::version() const {
  return found().version;
}

std::vector<std::string> HostCompiler::flags() const {
  std::vector<std::string> list(usual_flags.begin(), usual_flags.end());
  if (accesses_ == Accesses::watched) list.emplace_back(watching_flag);
  return list;
}

std::string HostCompiler::options() const {
  return fmt::format("{}", fmt::join(flags(), " "));
}

std::string HostCompiler::identity() const {
  return found().identity;
}

Compiled HostCompiler::compile(const Source& source, const std::string& /*architecture*/) {
  const CompileFolder folder;
  std::vector<std::string> command = found().command;
  const std::vector<std::string>& own = found().flags;
  command.insert(first_option(command), own.begin(), own.end());  // of two options for one thing, the last one counts
  const std::string text_path = folder.file("source.cpp");
  const std::string library_path = folder.file("library.so");
  command.insert(command.end(), {"-o", library_path, text_path, "-lgcc"});
  write_file(text_path, accesses_ == Accesses::watched ? source.text + watching_text : source.text);
  const base::ProcessResult result = run(command, {.variables = {{"TMPDIR", folder.path()}}});
  const std::string details = result.output + "\n" + numbered(source.text);
  if (result.signal != 0) {
    throw CompilerError(
        fmt::format("the compiler was killed by signal {} while it compiled source {}: check the free memory",
                    result.signal, source.key),
        details);
  }
  Compiled compiled;
  if (result.exit_code == 0) compiled.binary = read_file(library_path);
  if (compiled.binary.empty()) {
    const std::string what =
        fmt::format("source {} did not compile with {}: {}", source.key, version(), first_error(result.output));
    if (is_refused(result.output, text_path))
      throw SourceRefused(what + "; please report this with the details", details);
    throw CompilerError(what + "; check UPSWEEP_CXX if it is set, and the free disk space and memory", details);
  }
  seal_host_binary(compiled.binary);
  compiled.log = result.output;
  return compiled;
}

}  // namespace upsweep::runtime
