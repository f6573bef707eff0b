// Gathers the results of a thread's items of one byte each: four are compared and packed at once where all of the tile
// are there.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "parameters.cuh"
#include "pipeline/gather_items.cuh"

// How the four bytes of a word are packed of which those are kept whose bits are set in `kept`: in the lower 16 bits,
// the selector that moves them to the lowest bytes, with zeros behind; in the upper 16, the number of their bits.
__device__ __forceinline__ u32 packing_of(u32 kept) {
  u32 selector = 0x4444, bits = 0;
#pragma unroll
  for (u32 byte = 0; byte < 4; ++byte) {
    if ((kept >> byte & 1) == 0) continue;
    selector ^= (4 ^ byte) << (bits / 2);
    bits += 8;
  }
  return bits << 16 | selector;
}

// Packs the kept items of a thread into words that match those of shared memory. A word that results of several threads
// share is written whole by the last of them, and afterwards, byte by byte, by the others.
__device__ __forceinline__ u32 gather_packed(const Gathering& gathering,
                                             const InputVector (&vectors)[vectors_per_thread], const Scalars& scalars,
                                             u32 slot) {
  const u32 packing = packing_of(u32(lane_index()) % 16);
  const u32 begin = slot - gathering.head;  // below 0 in the head, which as a u32 is above all others
  u32 place = begin - begin % 4, current = 0, filled = begin % 4 * 8;  // bits of the word at `place`
#pragma unroll
  for (int v = 0; v < vectors_per_thread; ++v) {
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      const u32 items = vectors[v].vector.word[w];
      // The bits 7 of the four bytes move to the highest four bits.
      const u32 how = shuffle(packing, int(kept_bytes(items, scalars) * 0x00204081u >> 28));
      const u64 packed = u64(pick_bytes(items, 0, how)) << filled;
      const u32 around = place + u32(warp_places);
      current |= u32(packed);
      filled += how >> 16;
      if (filled >= 32) {
        *reinterpret_cast<u32*>(gathering.places + (place < around ? place : around)) = current;
        current = u32(packed >> 32);
        place += 4;
        filled -= 32;
      }
    }
  }
  warp_barrier();  // words that were written whole come before the bytes that other threads have of them
  const u32 end = place + filled / 8;
#pragma unroll
  for (u32 byte = 0; byte < 3; ++byte) {
    const u32 at = place + byte, around = at + u32(warp_places);
    if (i32(at - begin) >= 0 && i32(end - at) > 0) {
      gathering.places[at < around ? at : around] = Output(current >> 8 * byte);
    }
  }
  return end + gathering.head;
}

// Gathers the results of this thread's items [begin, end); the first one is the warp's result `slot`. Returns the slot
// behind the last one.
template <bool whole>
__device__ __forceinline__ u32 gather_results(const Gathering& gathering,
                                              const InputVector (&vectors)[vectors_per_thread], int begin, int end,
                                              const Scalars& scalars, u32 slot) {
  if (whole) return gather_packed(gathering, vectors, scalars, slot);
  return gather_items<whole>(gathering, vectors, begin, end, scalars, slot);
}
