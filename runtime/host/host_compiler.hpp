// The system's C++ compiler, for the host device.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "runtime/compiler.hpp"

namespace upsweep::runtime {

// Which compiler: UPSWEEP_CXX, else CXX (both may carry arguments, separated by blanks), else the first of c++, g++ and
// clang++ on PATH. It is looked for at the first use; without one, every call but options() throws CompilerError.
class HostCompiler : public Compiler {
 public:
  // Watched binaries tell the host device of each ordinary access to memory, which finds those to shared memory that
  // nothing orders. They run several times slower.
  enum class Accesses { unwatched, watched };
  explicit HostCompiler(Accesses accesses = Accesses::unwatched) : accesses_(accesses) {}

  [[nodiscard]] std::string version() const override;
  [[nodiscard]] std::string options() const override;
  [[nodiscard]] std::string identity() const override;
  [[nodiscard]] Compiled compile(const Source& source, const std::string& architecture) override;

 private:
  struct Found {
    std::vector<std::string> command;  // path and arguments
    std::vector<std::string> flags;    // upsweep's own, as this version knows them
    std::string version;
    std::string identity;
  };
  [[nodiscard]] Found make_found(std::vector<std::string> command, const std::string& banner) const;
  [[nodiscard]] const Found& found() const;

  [[nodiscard]] std::vector<std::string> flags() const;

  Accesses accesses_;
  mutable std::mutex mutex_;
  mutable Found found_;  // empty command: not looked for yet
};

}  // namespace upsweep::runtime
