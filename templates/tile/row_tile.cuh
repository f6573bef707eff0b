// Tiles of whole rows in shared memory. Rows that begin anywhere within vectors are copied as they lie, by vectors; a
// few lanes then fold each row, each lane its own neighbouring items.
#pragma once

#include "algorithm/hooks.reduce.cuh"
#include "algorithm/lift.cuh"
#include "algorithm/row_pitch.none.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"
#include "thread/fold_words.items.cuh"
#include "thread/row_vectors.cuh"

constexpr int row_tile_vectors = threads_per_block * staged_vectors;
constexpr u32 row_tile_bytes = 16 * row_tile_vectors;

// Places are counted in bytes, from a vector on that has a byte of the tile's first row. Of the vectors behind the
// tile, words are read that nothing is made of.
union RowTile {
  Vector<16> vector[row_tile_vectors + 2];
  unsigned char byte[row_tile_bytes + 32];
};

// How the rows of a call are divided.
struct RowTiling {
  const unsigned char* begin;  // of the array
  const unsigned char* end;
  u64 rows;
  u32 row_bytes;
  u32 pitch_bytes;  // from the begin of a row to that of the next one
  u32 tile_rows;
  u32 lane_bits;     // 2^lane_bits lanes fold a row
  u32 share_bytes;   // of a row, by each of these lanes
  bool whole_words;  // whether rows of narrow items begin and end with words
};

// Lanes take whole words of narrow items.
constexpr u32 share_unit = folds_words ? 4 : sizeof(Input);

// Whether rows whose begins are so many items apart are so short that few lanes of a block are idle in its tiles.
__device__ __forceinline__ bool fits_row_tiles(u64 pitch) { return pitch <= row_tile_bytes / 4 / sizeof(Input); }

// Whether gaps between rows are so short that a tile is copied with them: without them, few sectors less are read, and
// each row by itself. 2^26 items of f32 in rows of 7 take 215 us without gaps of 36 bytes, and of u8 in rows of 16, 98
// us without gaps of 36 bytes; copies take about 180 and 65 us (H200, driver 580.159.04, 2026-11-26).
__device__ __forceinline__ bool has_small_gaps(u64 row_length, u64 pitch) {
  constexpr u64 small = folds_words ? 96 : 48;
  return (pitch - row_length) * sizeof(Input) <= small + row_length * sizeof(Input) / 16;
}

// A tile is as many rows as there is room for, but so few that all blocks have a tile. A share is an odd number of
// units, so that the lanes of a row read different banks.
__device__ __forceinline__ RowTiling row_tiling(const Input* in, u64 rows, u64 row_length, u64 pitch) {
  RowTiling tiling;
  tiling.row_bytes = u32(row_length) * u32(sizeof(Input));
  tiling.pitch_bytes = u32(pitch) * u32(sizeof(Input));
  const u32 gap_bytes = tiling.pitch_bytes - tiling.row_bytes;
  tiling.begin = reinterpret_cast<const unsigned char*>(in);
  tiling.end = tiling.begin + rows * tiling.pitch_bytes - gap_bytes;
  tiling.rows = rows;
  tiling.tile_rows = (row_tile_bytes - 15) / tiling.pitch_bytes;
  if (rows < u64(grid_size()) * tiling.tile_rows) tiling.tile_rows = (u32(rows) + grid_size() - 1) / grid_size();
  const int bits = highest_bit(u32(threads_per_block)) - highest_bit(tiling.tile_rows);
  const bool too_many = bits > 0 && tiling.tile_rows << bits > u32(threads_per_block);
  tiling.lane_bits = bits <= 0 ? 0 : bits > 5 ? 5 : u32(bits) - (too_many ? 1 : 0);
  const u32 units = folds_words ? (tiling.row_bytes + 3) / 4 + 1 : u32(row_length);
  tiling.share_bytes = (((units - 1) >> tiling.lane_bits) + 1 | 1) * share_unit;
  tiling.whole_words = folds_words && (tiling.row_bytes | u32(reinterpret_cast<u64>(in))) % 4 == 0 &&
                       (!has_row_gaps || tiling.pitch_bytes % 4 == 0);
  return tiling;
}

__device__ __forceinline__ bool has_tile(const RowTiling& tiling, u64 tile) {
  return tile * tiling.tile_rows < tiling.rows;
}

// The rows of one tile, in memory.
struct TileRows {
  const unsigned char* from;  // place 0
  u32 before;                 // bytes before the first row
  u32 rows;
  u32 end;  // behind the last row
};

__device__ __forceinline__ TileRows rows_of_tile(const RowTiling& tiling, u64 tile) {
  const u64 first = tile * tiling.tile_rows, left = tiling.rows - first;
  const unsigned char* const begin = tiling.begin + first * tiling.pitch_bytes;
  TileRows rows;
  rows.before = u32(reinterpret_cast<u64>(begin) % 16);
  rows.from = begin - rows.before;
  rows.rows = left < tiling.tile_rows ? u32(left) : tiling.tile_rows;
  rows.end = rows.before + rows.rows * tiling.pitch_bytes - (tiling.pitch_bytes - tiling.row_bytes);
  return rows;
}

// The vectors of a tile that are wholly within the array: [begin, end).
struct VectorRange {
  u32 begin;
  u32 end;
};

__device__ __forceinline__ VectorRange vectors_of_tile(const RowTiling& tiling, const TileRows& rows) {
  const u32 vectors = (rows.end + 15) / 16;
  return {rows.from < tiling.begin ? 1u : 0u, rows.from + 16 * vectors > tiling.end ? vectors - 1 : vectors};
}

// A thread's vectors of a tile, on their way to shared memory.
struct StagedVectors {
  Vector<16> vector[staged_vectors];
};

__device__ __forceinline__ void load_row_tile(const RowTiling& tiling, u64 tile, StagedVectors& staged) {
  const TileRows rows = rows_of_tile(tiling, tile);
  const VectorRange range = vectors_of_tile(tiling, rows);
  const Vector<16>* const from = reinterpret_cast<const Vector<16>*>(rows.from);
#pragma unroll
  for (int k = 0; k < staged_vectors; ++k) {
    const u32 at = u32(k * threads_per_block + thread_index());
    if (at >= range.begin && at < range.end) staged.vector[k] = from[at];
  }
}

// Nothing beyond the array is read: the bytes of vectors at its ends are copied one by one.
__device__ __forceinline__ void store_row_tile(const RowTiling& tiling, u64 tile, const StagedVectors& staged,
                                               RowTile& to) {
  const TileRows rows = rows_of_tile(tiling, tile);
  const VectorRange range = vectors_of_tile(tiling, rows);
  const u32 thread = u32(thread_index());
#pragma unroll
  for (int k = 0; k < staged_vectors; ++k) {
    const u32 at = u32(k * threads_per_block) + thread;
    if (at >= range.begin && at < range.end) to.vector[at] = staged.vector[k];
  }
  if (thread >= 16) return;
  const u32 head = rows.before + thread, tail = range.end * 16 + thread;
  if (head < range.begin * 16 && head < rows.end) to.byte[head] = rows.from[head];
  if (tail < rows.end && tail >= rows.before && tail >= range.begin * 16) to.byte[tail] = rows.from[tail];
}

__device__ __forceinline__ Accumulator item_of_tile(const RowTile& tile, u32 at) {
  return lift(*reinterpret_cast<const Input*>(tile.byte + at));
}

__device__ __forceinline__ const u32* words_of_tile(const RowTile& tile, u32 at) {
  return reinterpret_cast<const u32*>(tile.byte + at);
}

// Folds `bytes` bytes of narrow items from byte `begin` on, which some words have room for: these are shifted to where
// the items begin.
template <int words>
__device__ __forceinline__ Accumulator fold_few(const RowTile& tile, u32 begin, u32 bytes) {
  const u32* const from = words_of_tile(tile, begin / 4 * 4);
  u32 word[words], low = from[0];
#pragma unroll
  for (int w = 0; w < words; ++w) {
    const u32 high = from[w + 1];
    word[w] = shift_right(low, high, begin % 4 * 8);
    low = high;
  }
  return fold_few_words(word, int(bytes));
}

// Folds the items of `bytes` bytes of a tile from byte `begin` on, at least one, in their order.
__device__ __forceinline__ Accumulator fold_share(const RowTiling& tiling, const RowTile& tile, u32 begin, u32 bytes) {
  constexpr u32 size = sizeof(Input);
  if (folds_words && tiling.whole_words) return fold_words<false>({}, words_of_tile(tile, begin), int(bytes / 4));
  if (folds_words) {
    if (bytes <= 8) return fold_few<2>(tile, begin, bytes);
    if (bytes <= 16) return fold_few<4>(tile, begin, bytes);
    if (bytes <= 32) return fold_few<8>(tile, begin, bytes);
  }
  Accumulator total = item_of_tile(tile, begin);
  u32 done = size;
  if (folds_words) {
    for (; done < bytes && (begin + done) % 4 != 0; done += size)
      total = combine(total, item_of_tile(tile, begin + done));
    const int words = int((bytes - done) / 4);
    total = fold_words<true>(total, words_of_tile(tile, begin + done), words);
    done += u32(words) * 4;
  }
#pragma unroll 4
  for (; done < bytes; done += size) total = combine(total, item_of_tile(tile, begin + done));
  return total;
}

// Folds the rows of a tile in shared memory, each by one thread, and writes their results.
__device__ __forceinline__ void fold_rows_alone(const RowTiling& tiling, const TileRows& rows, const RowTile& from,
                                                Accumulator initial, Output* out) {
  for (u32 row = u32(thread_index()); row < rows.rows; row += u32(threads_per_block)) {
    const Accumulator total = fold_share(tiling, from, rows.before + row * tiling.pitch_bytes, tiling.row_bytes);
    finish(out + row, combine(initial, total));
  }
}

// The same, each by some lanes of a warp. All threads call.
__device__ __forceinline__ void fold_rows_together(const RowTiling& tiling, const TileRows& rows, const RowTile& from,
                                                   Accumulator initial, Output* out) {
  const u32 lanes = 1u << tiling.lane_bits, lane = u32(thread_index()) & (lanes - 1);
  for (u32 batch = 0; batch < rows.rows; batch += u32(threads_per_block) >> tiling.lane_bits) {
    const u32 row = batch + (u32(thread_index()) >> tiling.lane_bits);
    const u32 begin = rows.before + row * tiling.pitch_bytes, end = begin + tiling.row_bytes;
    const u32 first = folds_words ? begin / 4 * 4 : begin;  // of lane 0
    const u32 share = first + lane * tiling.share_bytes, next = share + tiling.share_bytes;
    Accumulator total;
    if (row < rows.rows && share < end) {
      const u32 own = share > begin ? share : begin;
      total = fold_share(tiling, from, own, (next < end ? next : end) - own);
    }
    for (u32 distance = 1; distance < lanes; distance *= 2) {
      const Accumulator above = shuffle_down(total, int(distance));
      const bool has_above = lane + distance < lanes && share + distance * tiling.share_bytes < end;
      if (row < rows.rows && has_above) total = combine(total, above);
    }
    if (lane == 0 && row < rows.rows) finish(out + row, combine(initial, total));
  }
}

__device__ __forceinline__ void fold_row_tile(const RowTiling& tiling, u64 tile, const RowTile& from,
                                              Accumulator initial, Output* out) {
  const TileRows rows = rows_of_tile(tiling, tile);
  Output* const to = out + tile * tiling.tile_rows;
  if (tiling.lane_bits == 0) {
    fold_rows_alone(tiling, rows, from, initial, to);
  } else {
    fold_rows_together(tiling, rows, from, initial, to);
  }
}

// Folds all rows, of at least one item. A block loads its next tile while it folds one.
__device__ __forceinline__ void fold_row_tiles(const Input* in, u64 rows, u64 row_length, u64 pitch,
                                               Accumulator initial, Output* out, RowTile& shared) {
  const RowTiling tiling = row_tiling(in, rows, row_length, pitch);
  StagedVectors staged;
  u64 tile = block_index();
  if (has_tile(tiling, tile)) load_row_tile(tiling, tile, staged);
  for (; has_tile(tiling, tile); tile += grid_size()) {
    store_row_tile(tiling, tile, staged, shared);
    block_barrier();
    if (has_tile(tiling, tile + grid_size())) load_row_tile(tiling, tile + grid_size(), staged);
    fold_row_tile(tiling, tile, shared, initial, out);
    block_barrier();  // until all have read what the next tile takes the place of
  }
}
