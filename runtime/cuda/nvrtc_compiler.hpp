// NVRTC, NVIDIA's run-time compiler: CUDA source to a cubin. Loaded at run time, when it is first needed.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/compiler.hpp"

namespace upsweep::runtime {

struct Nvrtc;  // the table of its functions

class NvrtcCompiler final : public Compiler {
 public:
  // The library of the process: loaded once, by the first call of any member function.
  NvrtcCompiler();
  // Another one, from the first of these names or paths that loads.
  explicit NvrtcCompiler(std::vector<std::string> candidates);
  ~NvrtcCompiler() override;

  // All but options() throw CompilerError where no NVRTC of version 12.3 or newer can be loaded: it says where it was
  // looked for.
  [[nodiscard]] std::string version() const override;
  [[nodiscard]] std::string options() const override;
  // With the library's build: NVRTC tells its major and minor version only.
  [[nodiscard]] std::string identity() const override;
  [[nodiscard]] Compiled compile(const Source& source, const std::string& architecture) override;

  // Name or path of the library that was loaded.
  [[nodiscard]] std::string library() const;
  // What it compiles for, "sm_75" and up, in ascending order.
  [[nodiscard]] std::vector<std::string> architectures() const;

 private:
  [[nodiscard]] const Nvrtc& nvrtc() const;
  void check_architecture(const Source& source, const std::string& architecture) const;

  std::vector<std::string> candidates_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const Nvrtc> nvrtc_;
};

// $UPSWEEP_NVRTC alone, or the loader's names and then the folders of CUDA toolkits and PyPI wheels.
[[nodiscard]] std::vector<std::string> nvrtc_candidates();

// Roots of CUDA installations, most specific first: $CUDA_HOME, $CUDA_PATH, /usr/local/cuda, where it was at build
// time.
[[nodiscard]] std::vector<std::string> cuda_roots();

// What the assembler says of a kernel, from Compiled::log. Bytes are for each thread, shared memory for each block.
struct AssemblerReport {
  int registers = 0;
  int stack_bytes = 0;
  int spill_store_bytes = 0;
  int spill_load_bytes = 0;
  int static_shared_bytes = 0;
  int barriers = 0;

  bool operator==(const AssemblerReport&) const = default;
};

// The first kernel's report; nothing if the log has none.
[[nodiscard]] std::optional<AssemblerReport> parse_assembler_report(const std::string& log);

}  // namespace upsweep::runtime
