// Gathers the positions of a warp's marked items in shared memory.
#pragma once

#include "parameters.cuh"
#include "pipeline/geometry.cuh"
#include "pipeline/kept.mask.cuh"

// As many rounds as the lane with the most marked items has.
__device__ __forceinline__ void gather_few(u16* positions, u32 slot, const Kept& kept) {
#pragma unroll
  for (int w = 0; w < mask_words; ++w) {
    for (u32 left = kept.word[w]; left != 0; left &= left - 1) {
      positions[slot] = u16(lane_index() * thread_items + w * 32 + lowest_bit(left));
      ++slot;
    }
  }
}

// As many rounds as there are items, without branches.
__device__ __forceinline__ void gather_many(u16* positions, u32 slot, const Kept& kept) {
#pragma unroll
  for (int i = 0; i < thread_items; ++i) {
    const u32 bit = kept.word[i / 32] >> i % 32 & 1;
    store_shared_16_if(bit != 0, positions + slot, u16(lane_index() * thread_items + i));
    slot += bit;
  }
}

// `slot`: how many of the warp's `count` marked items belong to lower lanes.
__device__ __forceinline__ void gather_positions(u16* positions, u32 slot, u32 count, const Kept& kept) {
  constexpr u32 few = warp_places / 16;
  if (count < few) {
    gather_few(positions, slot, kept);
  } else {
    gather_many(positions, slot, kept);
  }
  warp_barrier();
}
