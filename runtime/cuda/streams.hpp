// Converts streams of the public interface to those of the driver API.
#pragma once

#include "runtime/cuda/driver.hpp"
#include "runtime/device.hpp"

namespace upsweep::runtime {

[[nodiscard]] inline CUstream stream_of(Stream stream) {
  return stream.handle();
}

// The one that other streams wait for: it cannot be captured.
[[nodiscard]] inline bool is_legacy(CUstream stream) {
  return stream == nullptr || stream == CU_STREAM_LEGACY;
}

}  // namespace upsweep::runtime
