#include "runtime/cuda/nvrtc_compiler.hpp"

#include <nvrtc.h>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <upsweep/error.hpp>

#include "base/environment.hpp"
#include "runtime/cuda/dynamic_library.hpp"

namespace upsweep::runtime {

// The functions that upsweep calls. All are exported without versions in their names.
struct Nvrtc {
  decltype(&::nvrtcGetErrorString) get_error_string = nullptr;
  decltype(&::nvrtcVersion) version = nullptr;
  decltype(&::nvrtcGetNumSupportedArchs) get_architecture_count = nullptr;
  decltype(&::nvrtcGetSupportedArchs) get_architectures = nullptr;
  decltype(&::nvrtcCreateProgram) create_program = nullptr;
  decltype(&::nvrtcDestroyProgram) destroy_program = nullptr;
  decltype(&::nvrtcCompileProgram) compile_program = nullptr;
  decltype(&::nvrtcGetProgramLogSize) get_log_size = nullptr;
  decltype(&::nvrtcGetProgramLog) get_log = nullptr;
  decltype(&::nvrtcGetPTXSize) get_ptx_size = nullptr;
  decltype(&::nvrtcGetPTX) get_ptx = nullptr;
  decltype(&::nvrtcGetCUBINSize) get_cubin_size = nullptr;
  decltype(&::nvrtcGetCUBIN) get_cubin = nullptr;

  std::shared_ptr<DynamicLibrary> library;
  std::shared_ptr<DynamicLibrary> builtins;

  void check(nvrtcResult result, const std::string& what) const {
    if (result == NVRTC_SUCCESS) return;
    throw CompilerError(fmt::format("{} failed: {}; run `upsweep doctor`", what, get_error_string(result)));
  }
};

namespace {

// The language that the templates are written in. C++20 takes as long to compile (measured on 8 generated kernels for
// sm_90, NVRTC 13.0: medians of 259 and 251 ms, within the noise).
constexpr const char* language = "--std=c++17";

template <typename Function>
void bind(const Nvrtc& table, Function& function, const char* symbol) {
  function = reinterpret_cast<Function>(table.library->symbol(symbol));
  if (function == nullptr) {
    throw CompilerError(
        fmt::format("{} has no function {}, so it is not NVRTC or it is too old: install NVRTC 12.3 or newer",
                    table.library->name(), symbol));
  }
}

// "a, b and c": the tried names without their folders, then the folders, each once.
std::string places(const std::vector<std::string>& candidates) {
  std::vector<std::string> names;
  std::vector<std::string> folders;
  const auto add = [](std::vector<std::string>& to, const std::string& text) {
    if (std::find(to.begin(), to.end(), text) == to.end()) to.push_back(text);
  };
  for (const std::string& candidate : candidates) {
    const std::size_t slash = candidate.rfind('/');
    add(names, candidate.substr(slash == candidate.npos ? 0 : slash + 1));
    add(folders, slash == candidate.npos ? "the default library folders" : candidate.substr(0, slash));
  }
  return fmt::format("looked for {} in {}", fmt::join(names, ", "), fmt::join(folders, ", "));
}

// NVRTC opens its builtins by name when it first compiles, and does not look beside itself: found under a folder that
// the system's loader does not search (a wheel's), it finds them only if they are loaded already.
std::shared_ptr<DynamicLibrary> load_builtins(const Nvrtc& nvrtc) {
  const std::string& path = nvrtc.library->name();
  const std::size_t slash = path.rfind('/');
  int major = 0;
  int minor = 0;
  if (slash == path.npos || nvrtc.version(&major, &minor) != NVRTC_SUCCESS) return nullptr;
  std::string not_there;  // no error: NVRTC's own search may succeed, and if not it says so in its log
  return DynamicLibrary::open({fmt::format("{}/libnvrtc-builtins.so.{}.{}", path.substr(0, slash), major, minor)},
                              not_there);
}

[[noreturn]] void fail_to_find(const std::vector<std::string>& candidates) {
  if (candidates.size() == 1 && candidates.front() == base::environment("UPSWEEP_NVRTC")) {
    throw CompilerError(
        fmt::format("NVRTC, CUDA's run-time compiler, cannot be loaded from '{}', the value of UPSWEEP_NVRTC: set "
                    "UPSWEEP_NVRTC to the path of libnvrtc.so, or unset it",
                    candidates.front()));
  }
  throw CompilerError(fmt::format(
      "NVRTC, CUDA's run-time compiler, was not found ({}): install the CUDA toolkit, or run `pip install "
      "nvidia-cuda-nvrtc`. If it is installed in another place, set UPSWEEP_NVRTC to the path of libnvrtc.so",
      places(candidates)));
}

std::shared_ptr<Nvrtc> bind_all(std::shared_ptr<DynamicLibrary> library) {
  auto table = std::make_shared<Nvrtc>();
  table->library = std::move(library);
  bind(*table, table->get_error_string, "nvrtcGetErrorString");
  bind(*table, table->version, "nvrtcVersion");
  bind(*table, table->get_architecture_count, "nvrtcGetNumSupportedArchs");
  bind(*table, table->get_architectures, "nvrtcGetSupportedArchs");
  bind(*table, table->create_program, "nvrtcCreateProgram");
  bind(*table, table->destroy_program, "nvrtcDestroyProgram");
  bind(*table, table->compile_program, "nvrtcCompileProgram");
  bind(*table, table->get_log_size, "nvrtcGetProgramLogSize");
  bind(*table, table->get_log, "nvrtcGetProgramLog");
  bind(*table, table->get_ptx_size, "nvrtcGetPTXSize");
  bind(*table, table->get_ptx, "nvrtcGetPTX");
  bind(*table, table->get_cubin_size, "nvrtcGetCUBINSize");
  bind(*table, table->get_cubin, "nvrtcGetCUBIN");
  return table;
}

// 128-bit descriptors are loaded and stored as .b128, which is of PTX 8.3, and that is CUDA 12.3 (PTX ISA, release
// notes).
constexpr std::pair<int, int> oldest_version{12, 3};

// Empty, or why the library cannot be used.
std::string too_old(const Nvrtc& nvrtc) {
  int major = 0;
  int minor = 0;
  nvrtc.check(nvrtc.version(&major, &minor), "reading NVRTC's version");
  if (std::pair(major, minor) >= oldest_version) return {};
  return fmt::format(
      "{} is NVRTC {}.{}, which is too old: install NVRTC {}.{} or newer, and set UPSWEEP_NVRTC to its path",
      nvrtc.library->name(), major, minor, oldest_version.first, oldest_version.second);
}

// The first that is new enough.
std::shared_ptr<const Nvrtc> load(const std::vector<std::string>& candidates) {
  std::string reason;
  for (const std::string& candidate : candidates) {
    std::string not_there;
    std::shared_ptr<DynamicLibrary> library = DynamicLibrary::open({candidate}, not_there);
    if (!library) continue;
    const std::shared_ptr<Nvrtc> table = bind_all(std::move(library));
    if (std::string old = too_old(*table); !old.empty()) {
      if (reason.empty()) reason = std::move(old);
      continue;
    }
    table->builtins = load_builtins(*table);
    return table;
  }
  if (reason.empty()) fail_to_find(candidates);
  throw CompilerError(reason);
}

// The process's own. It is never unloaded: other parts of the process may have it loaded too, loading takes some 10 ms,
// and static objects may compile at exit.
std::shared_ptr<const Nvrtc> shared_nvrtc() {
  static const auto& loaded = *new const std::shared_ptr<const Nvrtc>(load(nvrtc_candidates()));
  return loaded;
}

class Program {
 public:
  Program(const Nvrtc& nvrtc, const std::string& text, const std::string& name) : nvrtc_(nvrtc) {
    nvrtc.check(nvrtc.create_program(&program_, text.c_str(), name.c_str(), 0, nullptr, nullptr),
                "making an NVRTC program");
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { nvrtc_.destroy_program(&program_); }
  [[nodiscard]] nvrtcProgram handle() const { return program_; }

  // A text or binary that NVRTC made, through its pair of functions for size and content.
  template <typename Bytes>
  [[nodiscard]] Bytes read(decltype(Nvrtc::get_log_size) get_size, decltype(Nvrtc::get_log) get,
                           const char* what) const {
    std::size_t size = 0;
    nvrtc_.check(get_size(program_, &size), what);
    Bytes bytes(size, typename Bytes::value_type{});
    if (size > 0) nvrtc_.check(get(program_, reinterpret_cast<char*>(bytes.data())), what);
    return bytes;
  }
  // Texts end with a zero byte, which is counted; the log of a failed assembly has another one in the middle, before
  // the error.
  [[nodiscard]] std::string text(decltype(Nvrtc::get_log_size) get_size, decltype(Nvrtc::get_log) get,
                                 const char* what) const {
    std::string text = read<std::string>(get_size, get, what);
    std::erase(text, '\0');
    return text;
  }

 private:
  const Nvrtc& nvrtc_;
  nvrtcProgram program_ = nullptr;
};

// The first line of the log that tells of an error, else the first line.
std::string first_error(const std::string& log) {
  std::size_t at = log.find("error");
  if (at == log.npos) at = 0;
  const std::size_t begin = at == 0 ? 0 : log.rfind('\n', at) + 1;
  return log.substr(begin, log.find('\n', at) - begin);
}

}  // namespace

NvrtcCompiler::NvrtcCompiler() = default;
NvrtcCompiler::NvrtcCompiler(std::vector<std::string> candidates) : candidates_(std::move(candidates)) {}
NvrtcCompiler::~NvrtcCompiler() = default;

const Nvrtc& NvrtcCompiler::nvrtc() const {
  const std::lock_guard lock(mutex_);
  if (!nvrtc_) nvrtc_ = candidates_.empty() ? shared_nvrtc() : load(candidates_);
  return *nvrtc_;
}

std::string NvrtcCompiler::version() const {
  const Nvrtc& table = nvrtc();
  int major = 0;
  int minor = 0;
  table.check(table.version(&major, &minor), "reading NVRTC's version");
  return fmt::format("nvrtc {}.{}", major, minor);
}

// The assembler's report is asked for too, but does not change the binary.
std::string NvrtcCompiler::options() const {
  return language;
}

std::string NvrtcCompiler::identity() const {
  const Nvrtc& table = nvrtc();
  return fmt::format("{} {} {}", version(), table.library->build(), options());
}

std::string NvrtcCompiler::library() const {
  return nvrtc().library->name();
}

std::vector<std::string> NvrtcCompiler::architectures() const {
  const Nvrtc& table = nvrtc();
  int count = 0;
  table.check(table.get_architecture_count(&count), "reading NVRTC's architectures");
  std::vector<int> numbers(static_cast<std::size_t>(count));
  table.check(table.get_architectures(numbers.data()), "reading NVRTC's architectures");
  std::sort(numbers.begin(), numbers.end());
  std::vector<std::string> names;
  for (const int number : numbers) names.push_back(fmt::format("sm_{}", number));
  return names;
}

// NVRTC's own message for an unknown architecture lists none. Suffixes of specific features ("sm_90a") are not in its
// list, so they pass with their number.
void NvrtcCompiler::check_architecture(const Source& source, const std::string& architecture) const {
  const std::vector<std::string> known = architectures();
  const std::size_t digits_end = architecture.find_last_of("0123456789");
  const std::size_t suffix = digits_end == architecture.npos ? 0 : architecture.size() - digits_end - 1;
  const std::string number = architecture.substr(0, architecture.size() - std::min<std::size_t>(suffix, 1));
  if (std::find(known.begin(), known.end(), number) != known.end()) return;
  throw CompilerError(
      fmt::format("kernel {} was not compiled: {} does not know the architecture '{}'; use one of {}, or set "
                  "UPSWEEP_NVRTC to another NVRTC",
                  source.key, version(), architecture, fmt::join(known, ", ")));
}

Compiled NvrtcCompiler::compile(const Source& source, const std::string& architecture) {
  const Nvrtc& table = nvrtc();
  check_architecture(source, architecture);
  const Program program(table, source.text, source.key + ".cu");
  const std::string target = "--gpu-architecture=" + architecture;  // sm_XX, not compute_XX: machine code, not PTX
  const std::array options{language, target.c_str(), "--ptxas-options=-v"};
  const nvrtcResult result = table.compile_program(program.handle(), static_cast<int>(options.size()), options.data());

  Compiled compiled;
  compiled.log = program.text(table.get_log_size, table.get_log, "reading NVRTC's log");
  if (result != NVRTC_SUCCESS) {
    const std::string reason = compiled.log.empty() ? table.get_error_string(result) : first_error(compiled.log);
    const std::string what = fmt::format("kernel {} did not compile for {}: {}", source.key, architecture, reason);
    const std::string details = fmt::format("{}\n{}", compiled.log, numbered(source.text));
    if (result == NVRTC_ERROR_COMPILATION) throw SourceRefused(what, details);
    throw CompilerError(what, details);  // no memory, or no builtins
  }
  compiled.binary = program.read<Binary>(table.get_cubin_size, table.get_cubin, "reading NVRTC's binary");
  compiled.ptx = program.text(table.get_ptx_size, table.get_ptx, "reading NVRTC's PTX");
  return compiled;
}

std::vector<std::string> cuda_roots() {
  std::vector<std::string> roots;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const std::optional<std::string> root = base::environment(variable)) roots.push_back(*root);
  }
  roots.emplace_back("/usr/local/cuda");
#ifdef UPSWEEP_CUDA_HOME
  roots.emplace_back(UPSWEEP_CUDA_HOME);
#endif
  std::vector<std::string> unique;
  for (std::string& root : roots) {
    if (std::find(unique.begin(), unique.end(), root) == unique.end()) unique.push_back(std::move(root));
  }
  return unique;
}

std::vector<std::string> nvrtc_candidates() {
  if (const std::optional<std::string> path = base::environment("UPSWEEP_NVRTC")) return {*path};
  const std::array names{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  std::vector<std::string> candidates(names.begin(), names.end());
  for (const std::string& root : cuda_roots()) {
    // Toolkits have lib64, wheels lib: nvidia/cu13/lib and nvidia/cuda_nvrtc/lib below the folder of Python packages.
    for (const char* folder : {"lib64", "lib", "nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib"}) {
      for (const char* name : names) candidates.push_back(fmt::format("{}/{}/{}", root, folder, name));
    }
  }
  return candidates;
}

}  // namespace upsweep::runtime
