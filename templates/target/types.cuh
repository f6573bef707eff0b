// What all targets have in common: the names of the types, the size of a warp, and structs whose members instructions
// move.
#pragma once

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

// Its phases are numbered from 0; a phase ends when `arrivals` threads have arrived and all the bytes that were
// announced for it have come in.
struct PhaseBarrier {
  u64 word;
};

// The bits of a value as 32-bit words, for exchanges that move words.
template <typename T>
union Words {
  static constexpr int count = (sizeof(T) + 3) / 4;
  T value;
  u32 word[count];
};

// 2, 4, 8 or 16 bytes moved by one instruction.
template <int bytes>
struct Vector;
template <>
struct Vector<2> {
  u16 half;
};
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
