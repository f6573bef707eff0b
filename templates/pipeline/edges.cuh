// The items at the ends of a tile that fill no vector of 16 bytes: they are copied one by one.
#pragma once

#include "pipeline/span.cuh"

// The vectors of a tile whose places all hold items: [begin, end).
struct WholeVectors {
  int begin;
  int end;
};

__device__ __forceinline__ WholeVectors whole_vectors(const Extent& extent) {
  const int begin = (extent.begin + vector_items - 1) / vector_items, end = extent.end / vector_items;
  return {begin, end < begin ? begin : end};
}

// Copies the items of a tile outside its whole vectors, by one warp. At either end they are of one vector at most.
__device__ __forceinline__ void copy_edges(Input* to, const Input* from, const Extent& extent,
                                           const WholeVectors& vectors) {
  const int lane = lane_index(), head = extent.begin + lane, tail = vectors.end * vector_items + lane;
  if (head < vectors.begin * vector_items && head < extent.end) to[head] = from[head];
  if (tail < extent.end) to[tail] = from[tail];
}
