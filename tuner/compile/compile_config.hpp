// Compiles a config to a binary in a cache, without a device.
#pragma once

#include <memory>
#include <string>

#include <upsweep/device_info.hpp>
#include <upsweep/problem.hpp>

#include "runtime/cache/binary_cache.hpp"
#include "runtime/compiler.hpp"
#include "tuner/compile/compilations.hpp"

namespace upsweep::tuner {

// The compiler for "host", or for a CUDA architecture.
[[nodiscard]] std::shared_ptr<runtime::Compiler> compiler_for(const std::string& architecture);

// Compiles and stores the binary where a KernelStore over the same cache finds it. That it does not compile, or that
// there is no compiler, is a result; the latter may pass.
[[nodiscard]] CompileResult compile_config(runtime::Compiler& compiler, runtime::BinaryCache& cache,
                                           const Problem& problem, const Config& config,
                                           const std::string& architecture);

}  // namespace upsweep::tuner
