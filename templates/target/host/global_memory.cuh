// Global memory between blocks, with an explicit memory order at device scope.
#pragma once

#include "target/host_interface.cuh"
#include "target/types.cuh"

__device__ __forceinline__ u32 load_relaxed(const u32* from) {
  u32 word;
  bound_host->load(&word, from, sizeof(word), HostOrder::relaxed);
  return word;
}

__device__ __forceinline__ u64 load_relaxed(const u64* from) {
  u64 word;
  bound_host->load(&word, from, sizeof(word), HostOrder::relaxed);
  return word;
}

__device__ __forceinline__ u128 load_relaxed(const u128* from) {
  u128 word;
  bound_host->load(&word, from, sizeof(word), HostOrder::relaxed);
  return word;
}

__device__ __forceinline__ void store_relaxed(u32* to, u32 word) {
  bound_host->store(to, &word, sizeof(word), HostOrder::relaxed);
}

__device__ __forceinline__ void store_relaxed(u64* to, u64 word) {
  bound_host->store(to, &word, sizeof(word), HostOrder::relaxed);
}

__device__ __forceinline__ void store_relaxed(u128* to, u128 word) {
  bound_host->store(to, &word, sizeof(word), HostOrder::relaxed);
}

__device__ __forceinline__ u32 load_acquire(const u32* from) {
  u32 word;
  bound_host->load(&word, from, sizeof(word), HostOrder::acquire);
  return word;
}

// What this thread wrote before, and what it knows of others' writes through a barrier, is seen by whoever acquires.
__device__ __forceinline__ void store_release(u32* to, u32 word) {
  bound_host->store(to, &word, sizeof(word), HostOrder::release);
}

// Returns the value before.
__device__ __forceinline__ u32 add_relaxed(u32* to, u32 value) {
  return bound_host->add(to, value, HostOrder::relaxed);
}

__device__ __forceinline__ u64 add_relaxed(u64* to, u64 value) { return bound_host->add_wide(to, value); }

// Releases what came before and acquires what earlier adders released. Returns the value before.
__device__ __forceinline__ u32 add_acquire_release(u32* to, u32 value) {
  return bound_host->add(to, value, HostOrder::acquire_release);
}

// What this thread did to global memory before has happened for all others before what it does after.
__device__ __forceinline__ void fence_device() { bound_host->fence(); }

// Calls `load`, which reads global memory into registers: now or later, up to await_loads at the latest.
template <typename Load>
__device__ __forceinline__ void begin_loads(const Load& load) {
  bound_host->begin_loads([](const void* what) { (*static_cast<const Load*>(what))(); }, &load, sizeof(load));
}

// Before what this thread began to load is used.
__device__ __forceinline__ void await_loads() { bound_host->await_loads(); }

// Lets others run while this thread waits for a word to change.
__device__ __forceinline__ void wait_nanoseconds(u32 nanoseconds) { bound_host->wait(nanoseconds); }

// Ends the launch with an error. What the kernel has written stays.
__device__ __forceinline__ void abort_kernel() { bound_host->give_up(); }

// Stores what is not read again soon.
__device__ __forceinline__ void store_once(Vector<16>* to, const Vector<16>& vector) { *to = vector; }

// Stores a vector by one instruction.
template <int bytes>
__device__ __forceinline__ void store_whole(Vector<bytes>* to, const Vector<bytes>& vector) {
  *to = vector;
}

// Adds to a counter.
__device__ __forceinline__ void count_relaxed(u32* counter, u32 value) {
  (void)bound_host->add(counter, value, HostOrder::relaxed);
}

// The same, and releases what came before.
__device__ __forceinline__ void count_release(u32* counter, u32 value) {
  (void)bound_host->add(counter, value, HostOrder::release);
}
