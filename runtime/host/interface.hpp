// The table of functions through which generated code asks the host device for what a processor has no instruction
// for. templates/target/host.cuh repeats these declarations, since generated sources include nothing; whoever changes
// one changes both and raises the version, which is compared when a binary is loaded.
#pragma once

#include <cstdint>

namespace upsweep::runtime {

inline constexpr std::uint32_t host_interface_version = 8;

enum class HostOrder : std::uint32_t { relaxed, acquire, release, acquire_release };

enum class HostShuffle : std::uint32_t { up, down, from };

// Where a thread stands.
struct HostPosition {
  std::uint32_t thread = 0;
  std::uint32_t block = 0;
  std::uint32_t blocks = 0;
  std::uint32_t rank = 0;  // of the block in its cluster
};

// Each function acts for the thread that calls it, in the launch that runs on the calling host thread. They throw
// DeviceError through the generated code where the kernel does what no device allows. Those that are not named like
// their primitive are so because a generated source would hold every primitive that this table names.
struct HostInterface {
  std::uint32_t version;
  std::uint32_t bytes;  // of this struct
  const HostPosition* (*position)();
  void (*block_barrier)();
  void (*warp_barrier)();
  void (*shuffle)(void* value, std::uint32_t bytes, HostShuffle kind, std::int32_t argument);
  std::uint32_t (*ballot)(std::uint32_t predicate);
  void* (*static_shared)(std::uint64_t bytes);
  void* (*dynamic_shared)(std::uint64_t bytes);
  void (*load)(void* to, const void* from, std::uint32_t bytes, HostOrder order);
  void (*store)(void* to, const void* from, std::uint32_t bytes, HostOrder order);
  std::uint32_t (*add)(std::uint32_t* to, std::uint32_t value, HostOrder order);
  std::uint64_t (*add_wide)(std::uint64_t* to, std::uint64_t value);
  void (*begin_loads)(void (*load)(const void* what), const void* what, std::uint32_t bytes);
  void (*await_loads)();
  void (*barrier_before_stores)();
  void (*wait)(std::uint32_t nanoseconds);
  void (*fence)();
  void (*announce)();
  void (*await_previous)();
  void (*phase_init)(std::uint64_t* barrier, std::uint32_t arrivals);
  void (*phase_arrive)(std::uint64_t* barrier, std::uint32_t expected_bytes);
  void (*phase_wait)(std::uint64_t* barrier, std::uint32_t parity);
  void (*async_copy)(void* to_shared, const void* from_global);
  void (*async_arrive)(std::uint64_t* barrier);
  void (*async_wait)();
  void (*bulk_fence)();
  void (*bulk_in)(void* to_shared, const void* from_global, std::uint32_t bytes, std::uint64_t* barrier);
  void (*bulk_out)(void* to_global, const void* from_shared, std::uint32_t bytes);
  void (*bulk_commit)();
  void (*bulk_wait_read)(std::uint32_t pending);
  void (*arrive_at_cluster)();
  void (*wait_for_cluster)();
  void* (*shared_of_rank)(const void* own, std::uint32_t rank);
  void (*access)(const void* at, std::uint64_t bytes, std::uint32_t writes);  // of watched binaries
  void (*give_up)();
};

// What a loaded binary exports besides its kernel.
using HostBind = std::uint32_t (*)(const HostInterface*);  // upsweep_host_bind: returns the version it was made for
using HostArgumentBytes = std::uint32_t (*)();             // upsweep_host_argument_bytes: of the struct Arguments
using HostCall = void (*)(const void* arguments);          // upsweep_host_call: runs one thread

// Where the thread that runs stands: for functions of the host that generated code calls, and that are not in the
// table.
struct HostMoment {
  std::uint32_t thread = 0;
  std::uint32_t barriers = 0;   // of the block, that the thread has come to
  std::uint32_t exchanges = 0;  // of its warp, since the last of these
};
[[nodiscard]] HostMoment host_moment() noexcept;

// The table that every binary is bound to.
[[nodiscard]] const HostInterface& host_interface() noexcept;

}  // namespace upsweep::runtime
