// Which tiles are a block's, where each block has neighbouring ones, as many as the others or one more.
#pragma once

#include "parameters.cuh"
#include "tile/geometry.cuh"

// Blocks that have items: the first ones.
__device__ __forceinline__ u32 active_blocks(u64 n) {
  const u64 tiles = (n + tile_items - 1) / tile_items;
  return tiles < grid_size() ? u32(tiles) : grid_size();
}

// Tiles [begin, end).
struct TileShare {
  u64 begin;
  u64 end;
};

// Of one of the active blocks.
__device__ __forceinline__ TileShare tile_share(u64 n, u32 block, u32 blocks) {
  const u64 tiles = (n + tile_items - 1) / tile_items;
  const u64 share = tiles / blocks, extra = tiles % blocks;
  const u64 begin = block * share + (block < extra ? block : extra);
  return {begin, begin + share + (block < extra ? 1 : 0)};
}
