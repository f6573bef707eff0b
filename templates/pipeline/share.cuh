// The items of a tile that one thread folds and scans.
#pragma once

#include "pipeline/span.cuh"

struct Share {
  int begin;  // of thread_items
  int end;
  int threads;  // of the block that have any item
};

__device__ __forceinline__ Share share_of(const Extent& extent) {
  const int first = thread_index() * thread_items, left = extent.end - first;
  return {extent.begin > first ? extent.begin - first : 0, left < thread_items ? left : thread_items,
          active_workers(extent)};
}
