// Binaries of the host device: a shared library, sealed with a checksum, since loading a damaged one may end the
// process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "runtime/device.hpp"
#include "runtime/host/interface.hpp"

namespace upsweep::runtime {

// Appends the seal that HostKernel checks.
void seal_host_binary(Binary& library);

// What a launch needs of a binary, which stays loaded as long.
struct HostCode {
  std::shared_ptr<void> library;
  HostCall call = nullptr;
  std::uint32_t argument_bytes = 0;  // of the struct that the kernel takes
  bool watched = false;              // whether the kernel reports its accesses to memory (HostCompiler::Accesses)
};

class HostKernel : public Kernel {
 public:
  // Throws DeviceError where the binary is damaged, was made for another version of the interface, or has no such
  // kernel.
  HostKernel(std::span<const std::byte> binary, const std::string& entry);

  [[nodiscard]] const HostCode& code() const noexcept { return code_; }

 private:
  void bind(const std::string& entry);
  [[nodiscard]] void* symbol(const std::string& name) const;

  HostCode code_;
};

}  // namespace upsweep::runtime
