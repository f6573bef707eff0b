// Global memory between blocks, with an explicit memory order at device scope.
#pragma once

#include "target/types.cuh"

__device__ __forceinline__ u32 load_relaxed(const u32* from) {
  u32 word;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(word) : "l"(from) : "memory");
  return word;
}

__device__ __forceinline__ u64 load_relaxed(const u64* from) {
  u64 word;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
  return word;
}

__device__ __forceinline__ u128 load_relaxed(const u128* from) {
  u128 word;
  asm volatile("{\n.reg .b128 t;\nld.relaxed.gpu.global.b128 t, [%2];\nmov.b128 {%0, %1}, t;\n}"
               : "=l"(word.low), "=l"(word.high)
               : "l"(from)
               : "memory");
  return word;
}

__device__ __forceinline__ void store_relaxed(u32* to, u32 word) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(to), "r"(word) : "memory");
}

__device__ __forceinline__ void store_relaxed(u64* to, u64 word) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
}

__device__ __forceinline__ void store_relaxed(u128* to, u128 word) {
  asm volatile("{\n.reg .b128 t;\nmov.b128 t, {%1, %2};\nst.relaxed.gpu.global.b128 [%0], t;\n}" ::"l"(to),
               "l"(word.low), "l"(word.high)
               : "memory");
}

__device__ __forceinline__ u32 load_acquire(const u32* from) {
  u32 word;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(word) : "l"(from) : "memory");
  return word;
}

// What this thread wrote before, and what it knows of others' writes through a barrier, is seen by whoever acquires.
__device__ __forceinline__ void store_release(u32* to, u32 word) {
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(to), "r"(word) : "memory");
}

// Returns the value before.
__device__ __forceinline__ u32 add_relaxed(u32* to, u32 value) {
  u32 old;
  asm volatile("atom.add.relaxed.gpu.global.u32 %0, [%1], %2;" : "=r"(old) : "l"(to), "r"(value) : "memory");
  return old;
}

__device__ __forceinline__ u64 add_relaxed(u64* to, u64 value) {
  u64 old;
  asm volatile("atom.add.relaxed.gpu.global.u64 %0, [%1], %2;" : "=l"(old) : "l"(to), "l"(value) : "memory");
  return old;
}

// Releases what came before and acquires what earlier adders released. Returns the value before.
__device__ __forceinline__ u32 add_acquire_release(u32* to, u32 value) {
  u32 old;
  asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], %2;" : "=r"(old) : "l"(to), "r"(value) : "memory");
  return old;
}

// What this thread did to global memory before has happened for all others before what it does after.
__device__ __forceinline__ void fence_device() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }

// Calls `load`, which reads global memory into registers. The host device may put it off up to await_loads.
template <typename Load>
__device__ __forceinline__ void begin_loads(const Load& load) {
  load();
}

__device__ __forceinline__ void await_loads() {}

// Lets others run while this thread waits for a word to change: about that many nanoseconds.
__device__ __forceinline__ void wait_nanoseconds(u32 nanoseconds) { __nanosleep(nanoseconds); }

// Ends the launch with an error; the CUDA context is lost. What the kernel has written stays.
__device__ __forceinline__ void abort_kernel() { asm volatile("trap;"); }

// Stores what is not read again soon: first to be evicted from the L2 cache; sm_80.
__device__ __forceinline__ void store_once(Vector<16>* to, const Vector<16>& vector) {
  asm volatile(
      "{\n.reg .b64 policy;\ncreatepolicy.fractional.L2::evict_first.b64 policy, 1.0;\n"
      "st.global.L2::cache_hint.v4.u32 [%0], {%1, %2, %3, %4}, policy;\n}" ::"l"(to),
      "r"(vector.word[0]), "r"(vector.word[1]), "r"(vector.word[2]), "r"(vector.word[3])
      : "memory");
}

// Stores a vector by one instruction. Of a plain assignment, the compiler makes four of 4 bytes at times.
template <int bytes>
__device__ __forceinline__ void store_whole(Vector<bytes>* to, const Vector<bytes>& vector) {
  *to = vector;
}
__device__ __forceinline__ void store_whole(Vector<16>* to, const Vector<16>& vector) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(vector.word[0]), "r"(vector.word[1]),
               "r"(vector.word[2]), "r"(vector.word[3])
               : "memory");
}

// Adds to a counter. Nobody waits for the value before.
__device__ __forceinline__ void count_relaxed(u32* counter, u32 value) {
  asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" ::"l"(counter), "r"(value) : "memory");
}

// The same, and releases what came before.
__device__ __forceinline__ void count_release(u32* counter, u32 value) {
  asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(counter), "r"(value) : "memory");
}
