// The prefixes of a tile's columns by decoupled look-back: each column is a chain of its own. The groups of the block
// read a window of the tiles before, one tile each.
#pragma once

#include "block/axis_panel.cuh"
#include "grid/workspace.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"

struct LookbackStorage {
  PanelValues values;
  u8 status[columns_per_thread][threads_per_block];
  u32 pending[threads_per_block / warp_size];  // of each warp: whether a column's prefix is still not known
};

// A column's place in the chains.
struct Chain {
  Descriptor* descriptors;  // of the thread's first column, in the first tile of its chain
  u64 columns;              // how far the next tile's descriptor is
  u32 tile;                 // of the chain
};

template <int count>
__device__ __forceinline__ void publish_values(const Chain& chain, u32 epoch, Status status,
                                               const Accumulator (&value)[count]) {
#pragma unroll
  for (int c = 0; c < count; ++c)
    publish(chain.descriptors + u64(chain.tile) * chain.columns + c, epoch, status, value[c]);
}

// Waits for what a tile of the chain publishes of the thread's columns.
template <int count>
__device__ __forceinline__ void await_values(const Chain& chain, u32 tile, u32 epoch, LookbackStorage& storage) {
  Reading reading[count];
  bool complete;
  do {
    complete = true;
#pragma unroll
    for (int c = 0; c < count; ++c) {
      reading[c] = read(chain.descriptors + u64(tile) * chain.columns + c, epoch);
      complete = complete && reading[c].status != invalid;
    }
  } while (!complete);
#pragma unroll
  for (int c = 0; c < count; ++c) {
    storage.values.of_column[c][thread_index()] = reading[c].value;
    storage.status[c][thread_index()] = u8(reading[c].status);
  }
}

// Folds the window that the groups have read, from the nearest tile back, before what is already folded: the threads of
// the first group. Whether each column has come to an inclusive prefix.
template <int count>
__device__ __forceinline__ bool fold_window(int window, int width, bool has_prefix, bool (&found)[count],
                                            Accumulator (&prefix)[count], const LookbackStorage& storage) {
  bool all = true;
#pragma unroll
  for (int c = 0; c < count; ++c) {
    for (int group = 0; group < window && !found[c]; ++group) {
      const int at = group * width + thread_index();
      const Accumulator value = storage.values.of_column[c][at];
      prefix[c] = has_prefix || group > 0 ? combine(value, prefix[c]) : value;
      found[c] = storage.status[c][at] == inclusive_prefix;
    }
    all = all && found[c];
  }
  return all;
}

// Whether a warp of the first group still looks for a prefix.
__device__ __forceinline__ bool is_pending(int width, const LookbackStorage& storage) {
  for (int warp = 0; warp * warp_size < width; ++warp) {
    if (storage.pending[warp] != 0) return true;
  }
  return false;
}

// The exclusive prefixes of a tile that is not the first of its chain; the threads of the first group get them. The
// first tile of a chain publishes an inclusive prefix, so the window ends there at the latest. Called by all threads of
// the block; `has_column`: whether this thread has columns.
template <int count>
__device__ __forceinline__ void look_back(const Chain& chain, u32 epoch, bool has_column, int width, int groups,
                                          Accumulator (&prefix)[count], LookbackStorage& storage) {
  const int group = thread_index() / width;
  bool found[count];
#pragma unroll
  for (int c = 0; c < count; ++c) found[c] = false;
  for (u32 end = chain.tile;; end -= u32(groups)) {
    const int window = end < u32(groups) ? int(end) : groups;
    if (has_column && group < window) await_values<count>(chain, end - 1 - u32(group), epoch, storage);
    block_barrier();
    bool pending = false;
    if (has_column && group == 0) {
      pending = !fold_window<count>(window, width, end < chain.tile, found, prefix, storage);
    }
    const u32 warp_pending = warp_ballot(pending);
    if (lane_index() == 0) storage.pending[warp_index()] = warp_pending;
    block_barrier();
    if (!is_pending(width, storage)) return;
  }
}
