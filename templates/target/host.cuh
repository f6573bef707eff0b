// The twin of target/cuda.cuh for the host device: the same primitives as plain C++20. What a processor has no
// instruction for (the threads of a block, barriers, exchanges, memory order) is asked of the library, through a table
// of functions that is bound when the code is loaded.
#pragma once

#define __device__
#define __global__ __attribute__((visibility("default")))
#define __forceinline__ inline
#define __launch_bounds__(...)

using i8 = signed char;
using u8 = unsigned char;
using i16 = short;
using u16 = unsigned short;
using i32 = int;
using u32 = unsigned int;
using i64 = long long;
using u64 = unsigned long long;

struct alignas(16) u128 {
  u64 low, high;
};

constexpr int warp_size = 32;
constexpr u32 whole_warp = 0xffffffffu;

// ---- what the library does; the same declarations as in runtime/host/interface.hpp

constexpr u32 host_interface_version = 1;

enum class HostOrder : u32 { relaxed, acquire, release, acquire_release };

enum class HostShuffle : u32 { up, down, from };

struct HostPosition {
  u32 thread;
  u32 block;
  u32 blocks;
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
  void (*wait)(u32 nanoseconds);
};

static const HostInterface* bound_host = nullptr;

// ---- where this thread stands

__device__ __forceinline__ int thread_index() {
  return int(bound_host->position()->thread);
}

__device__ __forceinline__ int lane_index() {
  return thread_index() % warp_size;
}

__device__ __forceinline__ int warp_index() {
  return thread_index() / warp_size;
}

__device__ __forceinline__ u32 block_index() {
  return bound_host->position()->block;
}

__device__ __forceinline__ u32 grid_size() {
  return bound_host->position()->blocks;
}

// ---- barriers

// All threads of the block arrive; what each wrote to shared or global memory before is seen by the others after.
__device__ __forceinline__ void block_barrier() {
  bound_host->block_barrier();
}

// The same for the 32 lanes of a warp.
__device__ __forceinline__ void warp_barrier() {
  bound_host->warp_barrier();
}

// ---- exchange within a warp; all 32 lanes call

// The bits of a value as 32-bit words, for exchanges that move words.
template <typename T>
union Words {
  T value;
  u32 word[(sizeof(T) + 3) / 4];
};

// The value of the lane `distance` below; lanes below `distance` get their own.
template <typename T>
__device__ __forceinline__ T shuffle_up(T value, int distance) {
  bound_host->shuffle(&value, sizeof(T), HostShuffle::up, distance);
  return value;
}

// The value of the lane `distance` above; the highest lanes get their own.
template <typename T>
__device__ __forceinline__ T shuffle_down(T value, int distance) {
  bound_host->shuffle(&value, sizeof(T), HostShuffle::down, distance);
  return value;
}

// The value of lane `source`.
template <typename T>
__device__ __forceinline__ T shuffle(T value, int source) {
  bound_host->shuffle(&value, sizeof(T), HostShuffle::from, source);
  return value;
}

// Bit i is lane i's predicate.
__device__ __forceinline__ u32 warp_ballot(bool predicate) {
  return bound_host->ballot(predicate);
}

// ---- bits

// Position of the highest set bit, -1 for none.
__device__ __forceinline__ int highest_bit(u32 bits) {
  return bits == 0 ? -1 : 31 - __builtin_clz(bits);
}

// ---- shared memory

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

// ---- global memory between blocks, device scope; words of 32, 64 or (relaxed only) 128 bits

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

// Releases what came before and acquires what earlier adders released. Returns the value before.
__device__ __forceinline__ u32 add_acquire_release(u32* to, u32 value) {
  return bound_host->add(to, value, HostOrder::acquire_release);
}

// Lets others run while this thread waits for a word to change.
__device__ __forceinline__ void wait_nanoseconds(u32 nanoseconds) {
  bound_host->wait(nanoseconds);
}

// ---- vectors

// 4, 8 or 16 bytes moved by one instruction.
template <int bytes>
struct Vector;
template <>
struct Vector<4> {
  u32 word;
};
template <>
struct alignas(8) Vector<8> {
  u32 word[2];
};
template <>
struct alignas(16) Vector<16> {
  u32 word[4];
};

template <int bytes>
__device__ __forceinline__ bool is_aligned(const void* pointer) {
  return reinterpret_cast<u64>(pointer) % bytes == 0;
}

// ---- floating point

// Exact. The mantissa of a subnormal counts multiples of 2^-24.
__device__ __forceinline__ float float_of_f16(u16 bits) {
  const u32 sign = u32(bits & 0x8000u) << 16;
  const u32 exponent = bits >> 10 & 0x1fu;
  const u32 mantissa = bits & 0x3ffu;
  if (exponent == 0) {
    const float magnitude = float(mantissa) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  const u32 wide_exponent = exponent == 31 ? 255 : exponent + 112;
  return __builtin_bit_cast(float, sign | wide_exponent << 23 | mantissa << 13);
}

// Rounds to nearest even; any NaN becomes 0x7fff, as by cvt.rn.f16.f32.
__device__ __forceinline__ u16 f16_of_float(float value) {
  const u32 bits = __builtin_bit_cast(u32, value);
  const u32 sign = bits >> 16 & 0x8000u;
  const u32 magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return 0x7fff;
  if (magnitude >= 0x47800000u) return u16(sign | 0x7c00u);  // from 2^16 on
  if (magnitude < 0x33000000u) return u16(sign);             // below half of the least subnormal, 2^-24
  const u32 exponent = magnitude >> 23;
  const bool subnormal = exponent < 113;
  const u32 significand = subnormal ? (magnitude & 0x7fffffu) | 0x800000u : magnitude - (112u << 23);
  const u32 dropped = subnormal ? 126 - exponent : 13;
  const u32 below_half = (1u << (dropped - 1)) - 1;
  // A carry out of the mantissa raises the exponent, up to infinity.
  return u16(sign | (significand + below_half + (significand >> dropped & 1u)) >> dropped);
}

__device__ __forceinline__ float float_of_bf16(u16 bits) {
  return __builtin_bit_cast(float, u32(bits) << 16);
}

// Rounds to nearest even; NaN stays NaN.
__device__ __forceinline__ u16 bf16_of_float(float value) {
  const u32 bits = __builtin_bit_cast(u32, value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return u16(bits >> 16 | 0x40u);
  return u16((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

// IEEE 754-2019 minimum and maximum: NaN if either is NaN, -0 below +0.
__device__ __forceinline__ float minimum_or_nan(float a, float b) {
  if (a != a || b != b) return a + b;
  if (a == b) return __builtin_signbit(a) ? a : b;
  return a < b ? a : b;
}

__device__ __forceinline__ double minimum_or_nan(double a, double b) {
  if (a != a || b != b) return a + b;
  if (a == b) return __builtin_signbit(a) ? a : b;
  return a < b ? a : b;
}

__device__ __forceinline__ float maximum_or_nan(float a, float b) {
  if (a != a || b != b) return a + b;
  if (a == b) return __builtin_signbit(a) ? b : a;
  return a > b ? a : b;
}

__device__ __forceinline__ double maximum_or_nan(double a, double b) {
  if (a != a || b != b) return a + b;
  if (a == b) return __builtin_signbit(a) ? b : a;
  return a > b ? a : b;
}
