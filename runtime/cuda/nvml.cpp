#include "runtime/cuda/nvml.hpp"

#include <array>
#include <utility>

#include "base/environment.hpp"
#include "runtime/cuda/dynamic_library.hpp"

namespace upsweep::runtime {
namespace {

// The few names of nvml.h that are needed, so that its package is not (NVML API reference, "Device Queries").
using Result = int;
using Handle = void*;
constexpr Result success = 0;
constexpr unsigned multiprocessor_clock = 1;

// Reasons for which clocks are lower than they could be. Left out: idle, and clocks that somebody chose.
struct Reason {
  unsigned long long bit;
  const char* text;
};
constexpr std::array<Reason, 5> slowdowns{{{0x04, "power cap"},
                                           {0x08, "hardware slowdown"},
                                           {0x20, "temperature (software)"},
                                           {0x40, "temperature (hardware)"},
                                           {0x80, "power brake"}}};

struct Nvml {
  Result (*initialise)() = nullptr;
  Result (*handle_of)(const char*, Handle*) = nullptr;
  Result (*clock)(Handle, unsigned, unsigned*) = nullptr;
  Result (*reasons)(Handle, unsigned long long*) = nullptr;
  std::shared_ptr<DynamicLibrary> library;

  template <typename Function>
  void bind(Function& function, const char* symbol) const {
    function = reinterpret_cast<Function>(library->symbol(symbol));
  }
};

std::shared_ptr<Nvml> load_nvml() {
  auto nvml = std::make_shared<Nvml>();
  std::string reason;
  const auto path = base::environment("UPSWEEP_LIBNVML");
  nvml->library = path ? DynamicLibrary::open({*path}, reason)
                       : DynamicLibrary::open({"libnvidia-ml.so.1", "/usr/lib/wsl/lib/libnvidia-ml.so.1"}, reason);
  if (!nvml->library) return nullptr;
  nvml->bind(nvml->initialise, "nvmlInit_v2");
  nvml->bind(nvml->handle_of, "nvmlDeviceGetHandleByPciBusId_v2");
  nvml->bind(nvml->clock, "nvmlDeviceGetClockInfo");
  nvml->bind(nvml->reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
  if (nvml->initialise == nullptr || nvml->handle_of == nullptr || nvml->initialise() != success) return nullptr;
  return nvml;
}

class NvmlMonitor final : public ClockMonitor {
 public:
  NvmlMonitor(std::shared_ptr<Nvml> nvml, Handle handle) : nvml_(std::move(nvml)), handle_(handle) {}

  [[nodiscard]] ClockState read() const override {
    ClockState state;
    unsigned mhz = 0;
    if (nvml_->clock != nullptr && nvml_->clock(handle_, multiprocessor_clock, &mhz) == success) {
      state.multiprocessor_mhz = static_cast<int>(mhz);
    }
    unsigned long long bits = 0;
    if (nvml_->reasons == nullptr || nvml_->reasons(handle_, &bits) != success) return state;
    for (const Reason& reason : slowdowns) {
      if ((bits & reason.bit) != 0)
        state.throttled_by += (state.throttled_by.empty() ? "" : ", ") + std::string(reason.text);
    }
    return state;
  }

 private:
  std::shared_ptr<Nvml> nvml_;
  Handle handle_;
};

}  // namespace

std::unique_ptr<ClockMonitor> ClockMonitor::open(const std::string& pci_bus_id) {
  std::shared_ptr<Nvml> nvml = load_nvml();
  Handle handle = nullptr;
  if (!nvml || nvml->handle_of(pci_bus_id.c_str(), &handle) != success) return nullptr;
  return std::make_unique<NvmlMonitor>(std::move(nvml), handle);
}

}  // namespace upsweep::runtime
