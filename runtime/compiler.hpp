// A compiler: source text to a binary for one architecture. Two implementations: NVRTC (runtime/cuda) and the system's
// C++ compiler (runtime/host).
#pragma once

#include <string>

#include <upsweep/source.hpp>

#include "runtime/device.hpp"

namespace upsweep::runtime {

struct Compiled {
  Binary binary;
  std::string log;  // warnings and the assembler's resource report
  std::string ptx;  // NVRTC only
};

// Thread-safe: several threads may compile at once.
class Compiler {
 public:
  virtual ~Compiler() = default;
  // Name and version, "nvrtc 13.0" or "g++ 12.2.0": part of a binary's identity.
  [[nodiscard]] virtual std::string version() const = 0;
  // Options that change the binary besides the source and the architecture; part of a binary's identity.
  [[nodiscard]] virtual std::string options() const = 0;
  // Throws CompilerError with the key in its message and the log and numbered source in its details.
  [[nodiscard]] virtual Compiled compile(const Source& source, const std::string& architecture) = 0;
};

// "   1 | first line\n   2 | ..." for error details.
[[nodiscard]] std::string numbered(const std::string& text);

}  // namespace upsweep::runtime
