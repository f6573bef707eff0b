// Workspaces: device memory that kernels keep between launches, one for each stream, capture and layout.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/device.hpp"

namespace upsweep::runtime {

class Workspaces {
 public:
  explicit Workspaces(std::shared_ptr<Device> device) : device_(std::move(device)) {}
  Workspaces(const Workspaces&) = delete;
  Workspaces& operator=(const Workspaces&) = delete;
  ~Workspaces();

  // At least `bytes` bytes for kernels of the layout on the stream, zero when new. It grows by doubling; what it has
  // outgrown is freed with this object only, because calls in flight and captured graphs may still use it.
  [[nodiscard]] void* get(const std::string& layout, std::uint64_t bytes, Stream stream);

 private:
  struct Key {
    Device::StreamIdentity stream;
    std::string layout;
    auto operator<=>(const Key&) const = default;
  };
  struct Slab {
    void* memory = nullptr;
    std::uint64_t bytes = 0;
  };

  std::shared_ptr<Device> device_;
  std::mutex mutex_;
  std::map<Key, Slab> current_;
  std::vector<void*> outgrown_;
};

}  // namespace upsweep::runtime
