// Green contexts: parts of a GPU's multiprocessors, with streams of their own (CUDA driver API, "Green Contexts").
#pragma once

#include <string>

#include "runtime/cuda/driver.hpp"
#include "runtime/cuda/gpu_name.hpp"

namespace upsweep::runtime {

// How many multiprocessors a part of a device can have: `least`, and so on in steps of `step`, up to `most`.
struct PartSizes {
  int all = 0;  // that the device has
  int least = 0;
  int step = 0;
  int most = 0;  // 0: the driver makes no parts of it
  bool operator==(const PartSizes&) const = default;
};

// `gpu`: its name, for messages. Throws DeviceError where the driver or the GPU has no green contexts, which says so.
[[nodiscard]] PartSizes part_sizes(const Driver& driver, CUdevice device, const std::string& gpu);

// A green context and a stream of it. Its streams are used with the primary context current, whose memory, modules and
// events they take: a green context itself can be current to one thread only (CUDA driver API, cuGreenCtxCreate).
class GreenPart {
 public:
  // The primary context of the device must be current. Throws UsageError for a part that the device cannot have, which
  // names the parts that it can; DeviceError.
  GreenPart(const Driver& driver, CUdevice device, const std::string& gpu, const Part& part);
  GreenPart(const GreenPart&) = delete;
  GreenPart& operator=(const GreenPart&) = delete;
  // The primary context must be current, and all other streams of it destroyed.
  ~GreenPart();

  [[nodiscard]] const Part& part() const noexcept { return part_; }
  // A stream that takes the place of the legacy one.
  [[nodiscard]] CUstream default_stream() const noexcept { return default_stream_; }
  // For one thread at a time.
  [[nodiscard]] CUstream create_stream();

 private:
  const Driver& driver_;
  Part part_;
  GreenContext context_ = nullptr;
  CUstream default_stream_ = nullptr;
};

}  // namespace upsweep::runtime
