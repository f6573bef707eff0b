// Stores the pieces of a tile, one of each part, coalesced, through shared memory. A piece lies there as in the output,
// alike on 16 bytes: vectors there and here match.
#pragma once

#include "algorithm/parts.stable_partition.cuh"
#include "parameters.cuh"
#include "tile/geometry.cuh"

// Up to 15 bytes before each piece, and as many behind it, are not used.
struct alignas(16) StoreStorage {
  unsigned char bytes[tile_items * sizeof(Output) + parts * 32];
};

// A tile's piece of a part: where it goes, and where it waits.
struct Piece {
  Output* to;
  Output* from;
  u32 count;
};

// `begin`: how many bytes of the storage other pieces take. Returns the same with this piece.
__device__ __forceinline__ u32 place_piece(Piece& piece, Output* to, u32 count, u32 begin, StoreStorage& storage) {
  const u32 first = begin + u32(reinterpret_cast<u64>(to) % 16);
  piece = {to, reinterpret_cast<Output*>(storage.bytes + first), count};
  return (first + count * u32(sizeof(Output)) + 15) / 16 * 16;
}

// Where the items of a piece are put, one behind the other. In two phases: they wait in shared memory.
__device__ __forceinline__ Output* places_of(const Piece& piece) { return piece.from; }

__device__ __forceinline__ void await_gathered() { block_barrier(); }

// Writes the items [begin, end) of a piece: neighbouring threads write neighbouring ones.
__device__ __forceinline__ void write_items(const Piece& piece, u32 begin, u32 end) {
  constexpr int batch = 4;  // items per thread whose loads overlap
  for (u32 first = begin; first < end; first += batch * threads_per_block) {
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      const u32 item = first + u32(i * threads_per_block + thread_index());
      if (item < end) piece.to[item] = piece.from[item];
    }
  }
}

// Writes vectors of 16 bytes, of which the first begins at item `head`: neighbouring threads write neighbouring ones.
__device__ __forceinline__ void write_vectors(const Piece& piece, u32 head, u32 vectors) {
  auto* const to = reinterpret_cast<Vector<16>*>(piece.to + head);
  const auto* const from = reinterpret_cast<const Vector<16>*>(piece.from + head);
#pragma unroll 4
  for (u32 v = u32(thread_index()); v < vectors; v += threads_per_block) to[v] = from[v];
}

// After all threads of the block have put theirs: writes what is not written yet.
__device__ __forceinline__ void write_piece(const Piece& piece) {
  constexpr bool fills_vectors = 16 % sizeof(Output) == 0;
  if (!fills_vectors) return write_items(piece, 0, piece.count);
  constexpr u32 items = fills_vectors ? 16 / sizeof(Output) : 1;  // of a vector
  const u32 before = u32(-reinterpret_cast<u64>(piece.to) % 16) / u32(sizeof(Output));
  const u32 head = before < piece.count ? before : piece.count, vectors = (piece.count - head) / items;
  write_vectors(piece, head, vectors);
  write_items(piece, 0, head);
  write_items(piece, head + vectors * items, piece.count);
}
