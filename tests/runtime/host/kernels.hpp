// Small kernels written by hand, assembled as the generator does: types, target file, kernel, entry.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/host/host_compiler.hpp"
#include "runtime/host/host_device.hpp"

namespace upsweep::runtime::testing {

struct KernelText {
  std::string body;  // Workspace and upsweep_kernel
  std::string input = "u32";
  std::string output = "u32";
  std::string accumulator = "u32";
};

[[nodiscard]] Source host_source(const KernelText& text);

// A kernel with u32 input, output and initial value, its memory, and a device to run it on. The workspace is of u32.
class Bench {
 public:
  explicit Bench(const KernelText& text, std::shared_ptr<HostDevice> on = std::make_shared<HostDevice>(),
                 HostCompiler::Accesses accesses = HostCompiler::Accesses::unwatched);

  std::vector<std::uint32_t> in, out, workspace;
  std::uint32_t initial = 0;

  void run(const Launch& launch);
  [[nodiscard]] HostDevice& device() { return *device_; }

 private:
  std::shared_ptr<HostDevice> device_;
  std::unique_ptr<Kernel> kernel_;
};

// What a launch throws, empty if it does not.
[[nodiscard]] std::string error_of(Bench& bench, const Launch& launch);

}  // namespace upsweep::runtime::testing
