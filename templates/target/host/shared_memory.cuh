// The block's shared memory.
#pragma once

#include "target/host_interface.cuh"
#include "target/types.cuh"

// The block's static shared memory, seen as one T. One call site a kernel.
template <typename T>
__device__ __forceinline__ T& static_shared() {
  return *static_cast<T*>(bound_host->static_shared(sizeof(T)));
}

// The block's dynamic shared memory, seen as one T: for more than 48 KiB.
template <typename T>
__device__ __forceinline__ T& dynamic_shared() {
  return *static_cast<T*>(bound_host->dynamic_shared(sizeof(T)));
}

// Sets bits of a word in shared memory, which other threads may do at the same time: no other fiber runs meanwhile, and
// the host device, where it watches accesses, takes no notice.
__device__ __attribute__((no_sanitize("thread"))) __forceinline__ void or_shared(u32* to_shared, u32 bits) {
  *to_shared |= bits;
}

// Writes a value to shared memory where the condition holds.
template <typename T>
__device__ __forceinline__ void store_shared_if(bool condition, T* to_shared, const T& value) {
  if (condition) *to_shared = value;
}

// Writes 16 bits to shared memory where the condition holds.
__device__ __forceinline__ void store_shared_16_if(bool condition, u16* to_shared, u16 value) {
  if (condition) *to_shared = value;
}
