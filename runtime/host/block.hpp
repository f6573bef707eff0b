// The threads of one block on the host device, and where each stands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include <boost/context/fiber.hpp>

#include "runtime/host/interface.hpp"
#include "runtime/host/weak_memory.hpp"

namespace upsweep::runtime {

struct HostBlock;

// Running, able to run, waiting for the others of its warp or block at that primitive, or done.
enum class HostState : std::uint8_t {
  runnable,
  block_barrier,
  warp_barrier,
  shuffle_up,
  shuffle_down,
  shuffle,
  ballot,
  exited
};

inline constexpr int host_states = 8;

[[nodiscard]] const char* name(HostState state) noexcept;

struct HostThread {
  HostPosition position;
  HostBlock* block = nullptr;
  HostState state = HostState::exited;
  std::uint32_t loads = 0;          // since it last let others run
  const void* last_load = nullptr;  // the word it loaded last
  void* value = nullptr;            // of the exchange that it waits in
  std::int32_t argument = 0;        // of that exchange: a distance or a lane
  std::uint32_t predicate = 0;      // its own, then all of the warp
  WeakMemory::Observer observer;
  boost::context::fiber fiber;
};

struct HostWarp {
  HostState meeting = HostState::runnable;  // what the lanes that have arrived wait at
  std::uint32_t bytes = 0;                  // of the value they exchange
  std::uint32_t arrived = 0;
  std::uint32_t at_block_barrier = 0;
  std::uint32_t exited = 0;
};

// Shared memory: of exactly the size asked for, so that a sanitizer sees accesses past it.
class SharedBytes {
 public:
  explicit SharedBytes(std::size_t bytes)
      : bytes_(bytes), data_(static_cast<std::byte*>(::operator new(bytes, alignment))) {}

  [[nodiscard]] std::byte* data() const noexcept { return data_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return bytes_; }

 private:
  static constexpr std::align_val_t alignment{128};  // what bulk copies need
  struct Free {
    void operator()(std::byte* data) const noexcept { ::operator delete(data, alignment); }
  };
  std::size_t bytes_;
  std::unique_ptr<std::byte, Free> data_;
};

struct HostBlock {
  std::uint32_t index = 0;
  std::uint32_t at_barrier = 0;
  std::uint32_t exited = 0;
  bool static_shared_ready = false;  // filled for this block
  std::unique_ptr<SharedBytes> static_shared;
  std::unique_ptr<SharedBytes> dynamic_shared;
  std::vector<HostWarp> warps;
  std::vector<HostThread> threads;

  [[nodiscard]] HostWarp& warp_of(const HostThread& thread) { return warps[thread.position.thread / 32]; }
};

}  // namespace upsweep::runtime
