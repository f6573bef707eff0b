// A context on the host device with a cache of its own and no tuning database.
#pragma once

#include <memory>

#include <upsweep/context.hpp>

#include "runtime/engine.hpp"
#include "runtime/host/host_compiler.hpp"
#include "runtime/host/host_device.hpp"

namespace upsweep::test {

// An engine whose kernels are compiled once for the whole test program: sources are small, g++ is not quick.
inline std::shared_ptr<runtime::Engine> host_engine(
    std::shared_ptr<runtime::HostDevice> device,
    runtime::HostCompiler::Accesses accesses = runtime::HostCompiler::Accesses::unwatched) {
  runtime::Engine::Parts parts;
  parts.device = std::move(device);
  parts.compiler = std::make_shared<runtime::HostCompiler>(accesses);
  parts.cache = {.directory = {}, .max_bytes = 0, .enabled = false};
  return std::make_shared<runtime::Engine>(std::move(parts));
}

inline std::shared_ptr<runtime::Engine> host_engine() {
  return host_engine(std::make_shared<runtime::HostDevice>());
}

}  // namespace upsweep::test
