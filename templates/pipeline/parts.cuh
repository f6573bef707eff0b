// A stage has a part for each array that is read. A tile's items lie there as they lie in global memory, alike on 32
// bytes: vectors here and there match, and bulk copies are a sixth slower otherwise. `ahead` bytes of a part are for
// the items before the tile's first.
#pragma once

#include "parameters.cuh"
#include "pipeline/span.cuh"

constexpr int part_grid = 32;

template <typename T>
__device__ constexpr int part_bytes(int ahead) {
  return ahead + part_grid + tile_places * int(sizeof(T));
}

// Where place 0 of each tile lies in a part. `array`: where place 0 of the first tile would be in global memory.
template <typename T>
__device__ __forceinline__ int bytes_before(const T* array, int ahead) {
  return ahead + int(reinterpret_cast<u64>(array) % part_grid);
}

template <typename T>
__device__ __forceinline__ const T* places_in(const unsigned char* part, const T* array, int ahead) {
  return reinterpret_cast<const T*>(part + bytes_before(array, ahead));
}

// Whole vectors of an array that a tile's items, and the one before them, lie in. All of their bytes belong to the
// array, some perhaps to the items of other tiles.
struct Piece {
  unsigned char* to;
  const unsigned char* from;
  int vectors;
};

// Copies the items [begin, end) of an array, fewer than fill a vector, to where they lie behind `to` as behind `from`.
template <typename T>
__device__ __forceinline__ void copy_items(unsigned char* to, u64 from, u64 begin, u64 end) {
  const u64 at = begin + u64(lane_index()) * sizeof(T);
  if (at < end) *reinterpret_cast<T*>(to + (at - from)) = *reinterpret_cast<const T*>(at);
}

// Copies what no whole vector of the array holds of a tile's items, by one warp, and returns the vectors, which are
// still to be copied. `previous`: how many items before the tile's first belong to it, if there are any.
template <typename T>
__device__ __forceinline__ Piece begin_part(unsigned char* part, const T* array, int ahead, int previous,
                                            const Span& span, u32 tile) {
  const Extent extent = extent_of(span, tile);
  const u64 first = reinterpret_cast<u64>(array + u64(tile) * tile_places);
  const u64 array_begin = reinterpret_cast<u64>(array + span.begin),
            array_end = reinterpret_cast<u64>(array + span.end);
  const u64 begin = first + extent.begin * sizeof(T) - (tile > 0 ? previous * sizeof(T) : 0);
  const u64 end = first + extent.end * sizeof(T);
  unsigned char* const to = part + bytes_before(array, ahead);
  u64 vectors_begin = begin / 16 * 16, vectors_end = (end + 15) / 16 * 16;
  if (vectors_begin < array_begin) vectors_begin += 16;
  if (vectors_end > array_end) vectors_end -= 16;
  if (vectors_end < vectors_begin) vectors_end = vectors_begin;
  copy_items<T>(to, first, begin, vectors_begin < end ? vectors_begin : end);
  copy_items<T>(to, first, vectors_end > begin ? vectors_end : begin, end);
  return {to + i64(vectors_begin - first), reinterpret_cast<const unsigned char*>(vectors_begin),
          int((vectors_end - vectors_begin) / 16)};
}
