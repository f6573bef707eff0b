// Names of GPUs and of parts of them: "cuda", "cuda:1", "cuda:0/16".
#pragma once

#include <optional>
#include <string>

namespace upsweep::runtime {

// A part of a GPU's multiprocessors. A GPU has several parts of one size, which share no multiprocessor.
struct Part {
  int multiprocessors = 0;
  int number = 0;  // from 0, among the parts of that size
  bool operator==(const Part&) const = default;
};

struct GpuName {
  std::optional<int> ordinal;  // none: that of the current CUDA context, else 0
  std::optional<Part> part;    // none: all of it
  bool operator==(const GpuName&) const = default;
};

// "/16", "/16#1".
[[nodiscard]] std::string to_string(const Part& part);

// Empty if the text does not name a GPU. Throws UsageError if it names a part in a wrong way, of a GPU or of another
// device.
[[nodiscard]] std::optional<GpuName> gpu_named(const std::string& text);

}  // namespace upsweep::runtime
