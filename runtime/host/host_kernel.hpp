// Binaries of the host device: a shared library, sealed with a checksum, since loading a damaged one may end the
// process.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "runtime/device.hpp"
#include "runtime/host/interface.hpp"

namespace upsweep::runtime {

// Appends the seal that HostKernel checks.
void seal_host_binary(Binary& library);

class HostKernel : public Kernel {
 public:
  // Throws DeviceError where the binary is damaged, was made for another version of the interface, or has no such
  // kernel.
  HostKernel(std::span<const std::byte> binary, const std::string& entry);
  HostKernel(const HostKernel&) = delete;
  HostKernel& operator=(const HostKernel&) = delete;
  ~HostKernel() override;

  [[nodiscard]] HostCall call() const noexcept { return call_; }

 private:
  void bind(const std::string& entry);
  [[nodiscard]] void* symbol(const std::string& name) const;

  void* library_ = nullptr;
  HostCall call_ = nullptr;
};

}  // namespace upsweep::runtime
