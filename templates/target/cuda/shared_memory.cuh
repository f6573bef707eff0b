// The block's shared memory.
#pragma once

#include "target/types.cuh"

// Address within the block's shared memory, for instructions that take nothing else.
__device__ __forceinline__ u32 shared_address(const void* pointer) { return u32(__cvta_generic_to_shared(pointer)); }

// The block's static shared memory, seen as one T. One call site a kernel.
template <typename T>
__device__ __forceinline__ T& static_shared() {
  __shared__ __align__(alignof(T) > 16 ? alignof(T) : 16) unsigned char bytes[sizeof(T)];
  return *reinterpret_cast<T*>(bytes);
}

// The block's dynamic shared memory, seen as one T: for more than 48 KiB.
template <typename T>
__device__ __forceinline__ T& dynamic_shared() {
  extern __shared__ __align__(128) unsigned char dynamic_bytes[];
  return *reinterpret_cast<T*>(dynamic_bytes);
}

// Writes a value to shared memory where the condition holds; one of 4, 8 or 16 bytes without a branch.
template <typename T>
__device__ __forceinline__ void store_shared_if(bool condition, T* to_shared, const T& value) {
  if (sizeof(T) < 4 && condition) *to_shared = value;
  const Words<T> words{value};
  const u32 yes = condition, at = shared_address(to_shared), low = words.word[0];
  if (sizeof(T) == 4) {
    asm volatile("{.reg .pred p; setp.ne.u32 p, %0, 0; @p st.shared.u32 [%1], %2;}" ::"r"(yes), "r"(at), "r"(low)
                 : "memory");
  }
  for (int i = 0; i + 1 < words.count; i += 2) {
    asm volatile("{.reg .pred p; setp.ne.u32 p, %0, 0; @p st.shared.v2.u32 [%1], {%2, %3};}" ::"r"(yes),
                 "r"(at + i * 4), "r"(words.word[i]), "r"(words.word[i + 1])
                 : "memory");
  }
}

// Writes 16 bits to shared memory where the condition holds, without a branch.
__device__ __forceinline__ void store_shared_16_if(bool condition, u16* to_shared, u16 value) {
  asm volatile("{.reg .pred p; setp.ne.u32 p, %0, 0; @p st.shared.u16 [%1], %2;}" ::"r"(u32(condition)),
               "r"(shared_address(to_shared)), "h"(value)
               : "memory");
}

// Sets bits of a word in shared memory, which other threads may do at the same time.
__device__ __forceinline__ void or_shared(u32* to_shared, u32 bits) { atomicOr(to_shared, bits); }
