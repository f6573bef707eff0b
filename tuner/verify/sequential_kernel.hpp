// The kernel of the schedule sequential, by whose results all others are checked.
#pragma once

#include <optional>

#include <upsweep/problem.hpp>

#include "runtime/engine.hpp"
#include "tuner/measure/candidate.hpp"
#include "tuner/verify/port_call.hpp"

namespace upsweep::tuner {

// The engine must outlive it, and its last call must be done before it ends.
class SequentialKernel {
 public:
  SequentialKernel(runtime::Engine& engine, const Problem& problem, runtime::Stream stream);
  SequentialKernel(const SequentialKernel&) = delete;
  SequentialKernel& operator=(const SequentialKernel&) = delete;
  // Adds one call to the stream that this was made with; the first call compiles and loads the kernel. Throws
  // CompilerError or DeviceError.
  [[nodiscard]] RunKernel calls();

 private:
  [[nodiscard]] Candidate& loaded();

  runtime::Engine& engine_;
  Problem problem_;
  runtime::Stream stream_;
  std::optional<Candidate> loaded_;
};

}  // namespace upsweep::tuner
