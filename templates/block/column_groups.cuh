// The threads of a block as groups: neighbouring threads have neighbouring columns, and the groups have the rows. There
// are powers of two of both, so that nothing is divided.
#pragma once

#include "parameters.cuh"

constexpr int warp_bits = 5;  // of a lane

// How many bits the index of a thread within its group has: a group has `width` threads, or twice as many or more where
// the groups of a wider panel have all rows, `rows_each` each.
__device__ __forceinline__ int width_bits_of(u64 units, u64 length, int width, int rows_each) {
  int bits = 0;
  while ((2 << bits) <= width && (2 << bits) <= threads_per_block) ++bits;
  while ((2 << bits) <= threads_per_block && u64(1 << bits) < units &&
         u64((threads_per_block >> (bits + 1)) * rows_each) >= length) {
    ++bits;
  }
  return bits;
}

// A thread's place: a group of neighbouring threads has neighbouring columns.
struct Place {
  int width;   // of a group
  int groups;  // of the block
  int unit;    // within the panel
  int group;
  int part;       // of the block whose values wait in shared memory: a warp, or a group where it is not less
  int part_bits;  // 1 << part_bits groups of a part
};

__device__ __forceinline__ Place place_of(int bits) {
  const int group = thread_index() >> bits, part_bits = bits < warp_bits ? warp_bits - bits : 0;
  return {1 << bits, threads_per_block >> bits, thread_index() - (group << bits), group, group >> part_bits, part_bits};
}
