// The shared memory of blocks: how kernels get at it, and the accesses to it that watched binaries report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "runtime/host/accesses.hpp"
#include "runtime/host/fibers.hpp"

namespace upsweep::runtime {

class HostSharedMemory {
 public:
  explicit HostSharedMemory(HostFibers& fibers) : fibers_(fibers) {}

  // ---- as blocks come and go
  void start(HostBlock& block);
  void end(const HostBlock& block);
  // Fills with garbage: nothing is zero by chance, so what a kernel reads before it wrote there shows.
  void spoil(std::byte* data, std::size_t bytes);

  // ---- for the thread that runs
  [[nodiscard]] void* static_shared(std::uint64_t bytes);
  [[nodiscard]] void* dynamic_shared(std::uint64_t bytes) const;
  [[nodiscard]] void* shared_of_rank(const void* own, std::uint32_t rank);
  // Compilers take it that this does not throw: what went wrong ends the launch at the thread's next primitive.
  void access(const void* at, std::uint64_t bytes, bool writes) noexcept;
  // Of a copy that the thread begins: what the thread knows, the copy knows.
  void watch_copy(const void* shared, std::uint32_t bytes, bool writes, HostAccesses::Moment moment);

 private:
  void make_ready(const HostBlock& block, SharedBytes& shared);
  void ready_static_shared(HostBlock& block, std::size_t bytes);
  [[nodiscard]] SharedBytes* accessed(const void* at) const noexcept;
  void check_order(const std::optional<HostAccesses::Conflict>& conflict, const char* what) const;

  HostFibers& fibers_;
};

}  // namespace upsweep::runtime
