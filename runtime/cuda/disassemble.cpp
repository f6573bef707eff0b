#include "runtime/cuda/disassemble.hpp"

#include <unistd.h>

#include <fstream>
#include <limits>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <upsweep/error.hpp>

#include "base/find_program.hpp"
#include "base/process.hpp"
#include "base/temporary_folder.hpp"
#include "runtime/cuda/nvrtc_compiler.hpp"

namespace upsweep::runtime {
namespace {

class DisassemblyFolder {
 public:
  DisassemblyFolder() try : folder_("upsweep-disassemble-") {
  } catch (const std::system_error& error) {
    throw CompilerError(fmt::format(
        "disassembling failed: cannot create a temporary folder ({}); set TMPDIR to a folder that can be written",
        error.code().message()));
  }
  [[nodiscard]] std::string file(const char* name) const { return folder_.file(name); }

 private:
  base::TemporaryFolder folder_;
};

base::ProcessResult run(const std::vector<std::string>& arguments) {
  try {
    return base::run_process(arguments, {.most_output_bytes = std::numeric_limits<std::size_t>::max()});
  } catch (const std::system_error& error) {
    throw CompilerError(
        fmt::format("disassembling failed: cannot start the disassembler: {} ({}); run `upsweep doctor`",
                    error.code().message(), arguments.front()));
  }
}

void write_file(const std::string& path, std::span<const std::byte> bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) {
    throw CompilerError(fmt::format("disassembling failed: cannot write {}; free some disk space or set TMPDIR", path));
  }
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
  const DisassemblyFolder folder;
  const std::string file = folder.file("kernel.cubin");
  const std::vector<std::string> arguments = command(folders, file);
  if (arguments.empty()) {
    throw CompilerError(
        fmt::format("neither nvdisasm nor cuobjdump was found (looked in {}): install the CUDA toolkit (package "
                    "cuda-nvdisasm or cuda-cuobjdump) and set CUDA_HOME to its folder",
                    fmt::join(folders, ", ")));
  }
  write_file(file, cubin);
  base::ProcessResult finished = run(arguments);
  if (finished.signal == 0 && finished.exit_code == 0) return std::move(finished.output);
  const std::string how = finished.signal == 0 ? fmt::format("exit code {}", finished.exit_code)
                                               : fmt::format("signal {}", finished.signal);
  throw CompilerError(fmt::format("{} failed with {}: {}; use the tool of the CUDA version that compiled the kernel",
                                  arguments.front(), how, finished.output.substr(0, finished.output.find('\n'))),
                      finished.output);
}

std::string disassemble(std::span<const std::byte> cubin) {
  std::vector<std::string> folders = base::program_folders();
  for (const std::string& root : cuda_roots()) folders.push_back(root + "/bin");
  return disassemble(cubin, folders);
}

}  // namespace upsweep::runtime
