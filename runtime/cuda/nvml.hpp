// NVML, loaded at run time where it is there: how fast a GPU's clocks run, and whether something holds them down.
#pragma once

#include <memory>
#include <string>

#include "runtime/device.hpp"

namespace upsweep::runtime {

// One GPU's clocks. Thread-safe.
class ClockMonitor {
 public:
  virtual ~ClockMonitor() = default;
  // What NVML cannot tell is left as it is in ClockState{}.
  [[nodiscard]] virtual ClockState read() const = 0;

  // For the GPU at that place on the PCI bus, as cuDeviceGetPCIBusId names it. Library: $UPSWEEP_LIBNVML, or where the
  // system's loader finds it. None if there is no NVML or it does not know the GPU (some containers): no error, because
  // nothing needs it.
  [[nodiscard]] static std::unique_ptr<ClockMonitor> open(const std::string& pci_bus_id);
};

}  // namespace upsweep::runtime
