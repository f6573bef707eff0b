// What the processor has no instruction for (the threads of a block, barriers, exchanges, memory order) is asked of the
// library, through a table of functions that is bound when the code is loaded.
#pragma once

#include "target/host_macros.cuh"
#include "target/types.cuh"

// The same declarations as in runtime/host/interface.hpp.
constexpr u32 host_interface_version = 8;

enum class HostOrder : u32 { relaxed, acquire, release, acquire_release };

enum class HostShuffle : u32 { up, down, from };

struct HostPosition {
  u32 thread;
  u32 block;
  u32 blocks;
  u32 rank;
};

struct HostInterface {
  u32 version;
  u32 bytes;
  const HostPosition* (*position)();
  void (*block_barrier)();
  void (*warp_barrier)();
  void (*shuffle)(void* value, u32 bytes, HostShuffle kind, i32 argument);
  u32 (*ballot)(u32 predicate);
  void* (*static_shared)(u64 bytes);
  void* (*dynamic_shared)(u64 bytes);
  void (*load)(void* to, const void* from, u32 bytes, HostOrder order);
  void (*store)(void* to, const void* from, u32 bytes, HostOrder order);
  u32 (*add)(u32* to, u32 value, HostOrder order);
  u64 (*add_wide)(u64* to, u64 value);
  void (*begin_loads)(void (*load)(const void* what), const void* what, u32 bytes);
  void (*await_loads)();
  void (*barrier_before_stores)();
  void (*wait)(u32 nanoseconds);
  void (*fence)();
  void (*announce)();
  void (*await_previous)();
  void (*phase_init)(u64* barrier, u32 arrivals);
  void (*phase_arrive)(u64* barrier, u32 expected_bytes);
  void (*phase_wait)(u64* barrier, u32 parity);
  void (*async_copy)(void* to_shared, const void* from_global);
  void (*async_arrive)(u64* barrier);
  void (*async_wait)();
  void (*bulk_fence)();
  void (*bulk_in)(void* to_shared, const void* from_global, u32 bytes, u64* barrier);
  void (*bulk_out)(void* to_global, const void* from_shared, u32 bytes);
  void (*bulk_commit)();
  void (*bulk_wait_read)(u32 pending);
  void (*arrive_at_cluster)();
  void (*wait_for_cluster)();
  void* (*shared_of_rank)(const void* own, u32 rank);
  void (*access)(const void* at, u64 bytes, u32 writes);
  void (*give_up)();
};

static const HostInterface* bound_host = nullptr;
