// The items of a vector in reverse order.
#pragma once

#include "parameters.cuh"
#include "thread/vector.cuh"

// `from` and `to` hold an array `item` of so many items.
template <int items, typename Items>
__device__ __forceinline__ void reverse_items(const Items& from, Items& to) {
  constexpr int bytes = int(sizeof(from.item[0]));
  if (bytes < 4 && items * bytes % 4 == 0) {
    constexpr int words = items * bytes / 4;
    const u32* const word = reinterpret_cast<const u32*>(&from);
    u32* const reversed = reinterpret_cast<u32*>(&to);
#pragma unroll
    for (int w = 0; w < words; ++w) {
      const u32 last = word[words - 1 - w];
      reversed[w] = bytes == 1 ? pick_bytes(last, last, 0x0123) : shift_right(last, last, 16);
    }
  } else {
#pragma unroll
    for (int i = 0; i < items; ++i) to.item[i] = from.item[items - 1 - i];
  }
}
