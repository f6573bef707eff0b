// Stores the pieces of a tile, one of each part, item by item.
#pragma once

#include "parameters.cuh"

struct StoreStorage {};

// A tile's piece of a part: where it goes.
struct Piece {
  Output* to;
};

// `begin`: how many bytes of the storage other pieces take. Returns the same with this piece.
__device__ __forceinline__ u32 place_piece(Piece& piece, Output* to, u32, u32 begin, StoreStorage&) {
  piece.to = to;
  return begin;
}

// Where the items of a piece are put, one behind the other. Directly: where they go.
__device__ __forceinline__ Output* places_of(const Piece& piece) { return piece.to; }

__device__ __forceinline__ void await_gathered() {}

// After all threads of the block have put theirs: writes what is not written yet.
__device__ __forceinline__ void write_piece(const Piece&) {}
