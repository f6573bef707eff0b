// The items of a tile that one thread folds and scans: [begin, end) of its thread_items places.
#pragma once

#include "pipeline/span.cuh"

struct Share {
  int begin;
  int end;
  int threads;  // that have any item of the tile
};

__device__ __forceinline__ Share share_of(const Extent& extent) {
  const int first = thread_index() * thread_items, left = extent.end - first;
  return {extent.begin > first ? extent.begin - first : 0, left < thread_items ? left : thread_items,
          active_workers(extent)};
}
