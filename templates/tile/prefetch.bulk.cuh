// Asks the L2 cache for tile `tile` of `items` items, as far as there are n. Nothing is read, so this may be done
// before the kernel before this one has ended: what it still writes goes to the same cache. By one thread.
#pragma once

#include "parameters.cuh"

template <int items, typename T>
__device__ __forceinline__ void prefetch_tile(const T* in, u64 n, u64 tile) {
  const u64 first = reinterpret_cast<u64>(in) + tile * items * sizeof(T);
  const u64 end = reinterpret_cast<u64>(in + n) / 16 * 16, begin = (first + 15) / 16 * 16;
  constexpr u64 tile_bytes = u64(items) * sizeof(T) / 16 * 16;
  if (tile_bytes == 0 || begin >= end) return;
  const u64 left = end - begin;
  bulk_prefetch(reinterpret_cast<const void*>(begin), u32(left < tile_bytes ? left : tile_bytes));
}
