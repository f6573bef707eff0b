#pragma once

#include "parameters.cuh"

// While a block waits to learn which tile is its own, it asks the L2 cache for the tile of its index: some block will
// need that one. By one thread.
__device__ __forceinline__ void prefetch_some_tile(const Input* in, u64 n) {
  const u64 first = reinterpret_cast<u64>(in) + u64(block_index()) * tile_items * sizeof(Input);
  const u64 end = reinterpret_cast<u64>(in + n) / 16 * 16, begin = (first + 15) / 16 * 16;
  if (begin >= end) return;
  const u64 bytes = end - begin;
  constexpr u64 tile_bytes = u64(tile_items) * sizeof(Input) / 16 * 16;
  if (tile_bytes > 0) bulk_prefetch(reinterpret_cast<const void*>(begin), u32(bytes < tile_bytes ? bytes : tile_bytes));
}
