// Ranges for NVIDIA's profilers (NVTX 3, domain "upsweep"): one for each call and each plan that is made.
#pragma once

#include <cstdint>

namespace upsweep::runtime {

// UPSWEEP_NVTX: off by default. Throws UsageError for a value other than 0 and 1.
[[nodiscard]] bool nvtx_is_asked_for();

// A range of the calling thread, from construction to destruction.
class NvtxRange {
 public:
  // name: null for no range. items: shown as the range's payload.
  NvtxRange(const char* name, std::uint64_t items) noexcept : pushed_(name != nullptr) {
    if (pushed_) push(name, items);
  }
  ~NvtxRange() {
    if (pushed_) pop();
  }
  NvtxRange(const NvtxRange&) = delete;
  NvtxRange& operator=(const NvtxRange&) = delete;

 private:
  static void push(const char* name, std::uint64_t items) noexcept;
  static void pop() noexcept;

  bool pushed_;
};

}  // namespace upsweep::runtime
