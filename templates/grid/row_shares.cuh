// How blocks share the rows of an array along an axis: neighbouring rows are a share.
#pragma once

#include "block/axis_shares.cuh"
#include "grid/workspace.cuh"
#include "parameters.cuh"

// Of short axes, tiles are counted, and if there are many, each of `blocks` blocks has one share of `first_size` tiles,
// and then takes shares of `size` tiles, one after the other, so that a block whose memory is slow takes fewer.
// Otherwise each block has one share of about equally many units: axes if they are short, or rows.
struct Shares {
  u32 blocks, count;
  u64 panel_tiles, tiles;
  u64 first_size, size;  // 0: each block has one share
  u64 unit, each;        // rows of a unit, and units of a share
  u64 more;              // the first so many shares have one unit more
};

__device__ __forceinline__ Shares shares_of(const AxisRows& rows) {
  constexpr u64 many_tiles = 16, shares_per_block = 16;
  const u64 unit = rows.is_short ? rows.length : u64(rows.unit), all = divided(rows.panels * rows.rows - 1, unit) + 1;
  const u64 of_tile = divided(u64(rows.tile_rows), unit), tiles_there = divided(all - 1, of_tile) + 1;
  Shares shares;
  shares.blocks = shares.count = tiles_there < u64(grid_size()) ? u32(tiles_there) : grid_size();
  shares.panel_tiles = divided(rows.rows - 1, u64(rows.tile_rows)) + 1;
  shares.tiles = rows.panels * shares.panel_tiles;
  shares.first_size = shares.size = 0;
  shares.unit = unit;
  shares.each = divided(all, u64(shares.blocks));
  shares.more = all - shares.each * shares.blocks;
  if (!rows.is_short || shares.tiles < many_tiles * shares.blocks) return shares;
  shares.first_size = divided(shares.tiles, 3 * u64(shares.blocks));
  const u64 others = shares.tiles - shares.first_size * shares.blocks;
  shares.size = divided(others - 1, shares_per_block * shares.blocks) + 1;
  shares.count += u32(divided(others - 1, shares.size) + 1);
  return shares;
}

// The first row of a share; behind the last share, that behind all rows.
__device__ __forceinline__ u64 first_row_of_share(const Shares& shares, const AxisRows& rows, u32 share) {
  if (shares.size == 0) {
    const u64 row = (share * shares.each + (share < shares.more ? share : shares.more)) * shares.unit;
    return row < rows.panels * rows.rows ? row : rows.panels * rows.rows;
  }
  const u64 behind = shares.blocks * shares.first_size + (share - shares.blocks) * shares.size;
  const u64 tile = share < shares.blocks ? share * shares.first_size : behind < shares.tiles ? behind : shares.tiles;
  const u64 panel = divided(tile, shares.panel_tiles);
  return panel * rows.rows + (tile - panel * shares.panel_tiles) * u64(rows.tile_rows);
}

// Where each block has one share of rows.
__device__ __forceinline__ u32 share_with_row(const Shares& shares, u64 row) {
  const u64 unit = divided(row, shares.unit), larger = shares.more * (shares.each + 1);
  return u32(unit < larger ? divided(unit, shares.each + 1) : shares.more + divided(unit - larger, shares.each));
}

// ---- which block takes which share

// How many tickets the blocks take together. Of long axes, each block takes one: the first block to ask gets the last
// rows, so that a block waits only for blocks that run already. Of short axes, each block takes tickets until one of
// them is beyond the last share.
__device__ __forceinline__ u32 tickets_of(const Shares& shares, const AxisRows& rows) {
  return !rows.is_short || shares.size > 0 ? shares.count : 0;
}

// By one thread, of all tickets that are taken: by the last one, the next launch's epoch begins. `used`: descriptors.
__device__ __forceinline__ void settle_ticket(Workspace* workspace, const Claim& claim, u32 tickets, u64 used) {
  settle_claim(workspace, claim, claim.epoch, 1, tickets, used >> 32 != 0 ? ~0u : u32(used));
}
