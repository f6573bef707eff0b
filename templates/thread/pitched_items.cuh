// Items of rows with gaps between them. They are numbered as if there were no gaps, and found by their numbers.
#pragma once

#include "parameters.cuh"

// From one of the items on, which is item 0.
template <typename T>
struct PitchedItems {
  T* row;      // in which item 0 lies
  u64 column;  // of item 0
  u64 length;
  u64 pitch;

  // From item `items` on. A division of 32 bits takes a fraction of the time of one of 64.
  __device__ __forceinline__ PitchedItems operator+(u64 items) const {
    const u64 at = column + items;
    const u64 rows = ((at | length) >> 32) == 0 ? u64(u32(at) / u32(length)) : at / length;
    return {row + rows * pitch, at - rows * length, length, pitch};
  }

  // Where item 0 lies, and how many items of its row there are from it on.
  __device__ __forceinline__ T* begin() const { return row + column; }
  __device__ __forceinline__ u64 left() const { return length - column; }

  // Item i, which lies within a tile of 2^15 items. Of rows that are longer, the tile has items of two at most, which
  // are counted from 2^15 items before the second one on. The product divides exactly: the dividend times the divisor
  // is below 2^32.
  __device__ __forceinline__ T& operator[](int i) const {
    constexpr u32 most = 1u << 15;
    const u32 divisor = length < most ? u32(length) : most;
    const u32 column_of_divisor = length < most ? u32(column) : left() < most ? most - u32(left()) : 0;
    const u32 rows = u32(u64(column_of_divisor + u32(i) + 1) * (~0u / divisor) >> 32);
    return (begin() + i)[rows * (pitch - length)];
  }
};

template <typename T>
__device__ __forceinline__ PitchedItems<T> pitched(T* array, u64 length, u64 pitch) {
  return {array, 0, length, pitch};
}
