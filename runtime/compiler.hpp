// A compiler: source text to a binary for one architecture. Two implementations: NVRTC (runtime/cuda) and the system's
// C++ compiler (runtime/host).
#pragma once

#include <string>

#include <upsweep/error.hpp>
#include <upsweep/source.hpp>

#include "runtime/device.hpp"

namespace upsweep::runtime {

// The compiler has read the source and refused it, and will do so again. Every other CompilerError may pass: a full
// disk, a compiler that was killed, that is missing or has no memory.
struct SourceRefused : CompilerError {
  using CompilerError::CompilerError;
};

struct Compiled {
  Binary binary;
  std::string log;  // warnings and the assembler's resource report
  std::string ptx;  // NVRTC only
};

// Thread-safe: several threads may compile at once.
class Compiler {
 public:
  virtual ~Compiler() = default;
  // Name and version, and arguments that the user gave it: "nvrtc 13.0", "g++ 12.2.0", "g++ 12.2.0 -ffast-math". Tuning
  // results tell compilers apart by it.
  [[nodiscard]] virtual std::string version() const = 0;
  // Options that change the binary besides the source and the architecture.
  [[nodiscard]] virtual std::string options() const = 0;
  // All that a binary depends on besides the source and the architecture, as exactly as can be told.
  [[nodiscard]] virtual std::string identity() const { return version() + " " + options(); }
  // Throws SourceRefused, or another CompilerError, with the key in its message and the log and numbered source in its
  // details.
  [[nodiscard]] virtual Compiled compile(const Source& source, const std::string& architecture) = 0;
};

// "   1 | first line\n   2 | ..." for error details.
[[nodiscard]] std::string numbered(const std::string& text);

}  // namespace upsweep::runtime
