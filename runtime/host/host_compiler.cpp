#include "runtime/host/host_compiler.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <upsweep/error.hpp>

#include "runtime/host/host_kernel.hpp"
#include "runtime/host/process.hpp"

namespace upsweep::runtime {
namespace {

// -fno-strict-aliasing: vectors move items of any type, which nvcc allows too. -ffp-contract=off: the same rounding on
// every processor. Nothing is linked but the compiler's own helpers, which takes half the time; memcpy and the like
// are found in the process.
const std::vector<std::string>& flags() {
  static const std::vector<std::string> list{"-std=c++20",
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
  return list;
}

constexpr const char* install_hint = "install g++, or set UPSWEEP_CXX to a C++20 compiler";

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
    std::string name = (parent / "upsweep-XXXXXX").string();
    if (error || ::mkdtemp(name.data()) == nullptr) {
      throw CompilerError(
          fmt::format("no temporary folder to compile in ({}): set TMPDIR to a folder that can be "
                      "written",
                      error ? error.message() : name));
    }
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

std::vector<std::string> find_compiler() {
  for (const char* name : {"UPSWEEP_CXX", "CXX"}) {
    const std::string value = variable(name);
    std::vector<std::string> command = words_of(value);
    if (command.empty()) continue;
    if (!find_program(value).empty()) command = {value};  // a path with blanks in it
    command[0] = find_program(command[0]);
    if (!command[0].empty()) return command;
    throw CompilerError(fmt::format("{} names the compiler {}, which is no executable: {}", name, value, install_hint));
  }
  for (const char* name : {"c++", "g++", "clang++"}) {
    std::string path = find_program(name);
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

ProcessResult run(const std::vector<std::string>& command) {
  try {
    return run_process(command);
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
    const ProcessResult result = run(asking);
    if (result.signal != 0 || result.exit_code != 0) {
      throw CompilerError(fmt::format("{} --version failed ({}): {}", fmt::join(command, " "),
                                      first_line(result.output), install_hint));
    }
    found_ = {std::move(command), short_version(result.output)};
  }
  return found_;
}

std::string HostCompiler::version() const {
  return found().version;
}

std::string HostCompiler::options() const {
  return fmt::format("{}", fmt::join(flags(), " "));
}

Compiled HostCompiler::compile(const Source& source, const std::string& /*architecture*/) {
  const TemporaryFolder folder;
  std::vector<std::string> command = found().command;
  command.insert(command.end(), flags().begin(), flags().end());
  const std::string text_path = folder.file("source.cpp");
  const std::string library_path = folder.file("library.so");
  command.insert(command.end(), {"-o", library_path, text_path, "-lgcc"});
  write_file(text_path, source.text);
  const ProcessResult result = run(command);
  if (result.signal != 0) {
    throw CompilerError(fmt::format("the compiler was ended by signal {} on source {}: is there enough memory?",
                                    result.signal, source.key),
                        result.output + "\n" + numbered(source.text));
  }
  Compiled compiled;
  if (result.exit_code == 0) compiled.binary = read_file(library_path);
  if (compiled.binary.empty()) {
    throw CompilerError(fmt::format("source {} did not compile with {}: {}; please report this with the details",
                                    source.key, version(), first_error(result.output)),
                        result.output + "\n" + numbered(source.text));
  }
  seal_host_binary(compiled.binary);
  compiled.log = result.output;
  return compiled;
}

}  // namespace upsweep::runtime
