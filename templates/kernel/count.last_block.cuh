// The first step where the places of results depend on how many items of all are kept: counts these. Each block counts
// its share of the items and adds to the sum of all; the last block to finish writes the sum to scratch.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "algorithm/limits.none.cuh"
#include "block/start.plain.cuh"
#include "parameters.cuh"
#include "tile/geometry.cuh"
#include "tile/load_striped.direct.cuh"

// Global memory that outlives the launch. Zero before the first one; each launch leaves it ready for the next.
struct alignas(128) Workspace {
  u64 sum;
  u32 finished;  // blocks whose items are in the sum
};

struct SharedStorage {
  u64 of_warp[threads_per_block / warp_size];
};

// Counts the kept ones of this thread's items of a whole tile.
__device__ __forceinline__ u32 count_striped(const Input* from, const Scalars& scalars) {
  Input items[items_per_thread];
  load_striped(from, items);
  u32 count = 0;
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) count += has_result(lift(Item{items[i]}, scalars)) ? 1 : 0;
  return count;
}

// Counts the kept ones of `valid` items, less than a tile, that this thread reads.
__device__ __forceinline__ u32 count_rest(const Input* from, u64 valid, const Scalars& scalars) {
  u32 count = 0;
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    const u64 at = u64(i * threads_per_block + thread_index());
    if (at < valid && has_result(lift(Item{from[at]}, scalars))) ++count;
  }
  return count;
}

// Items before the first address where a vector may begin.
__device__ __forceinline__ u64 items_before_alignment(const Input* in, u64 n) {
  if (load_vector_bytes == 0) return 0;
  const u64 past = reinterpret_cast<u64>(in) % 16, head = past == 0 ? 0 : (16 - past) / sizeof(Input);
  return head < n ? head : n;
}

// Counts the kept ones of the block's share of the items that this thread reads. Tiles begin at the first 16-byte
// address; the last block has the items before.
__device__ __forceinline__ u64 count_share(const Input* in, u64 n, const Scalars& scalars) {
  const u64 head = items_before_alignment(in, n), aligned = n - head;
  u64 first = u64(block_index()) * tile_items, count = 0;
  for (; first < aligned && aligned - first >= tile_items; first += u64(grid_size()) * tile_items) {
    count += count_striped(in + head + first, scalars);
  }
  if (first < aligned) count += count_rest(in + head + first, aligned - first, scalars);
  if (block_index() == grid_size() - 1) count += count_rest(in, head, scalars);
  return count;
}

// The sum of the counts of the block's threads, by thread 0.
__device__ __forceinline__ u64 sum_of_block(u64 count, SharedStorage& shared) {
#pragma unroll
  for (int distance = warp_size / 2; distance > 0; distance /= 2) count += shuffle_down(count, distance);
  if (lane_index() == 0) shared.of_warp[warp_index()] = count;
  block_barrier();
  u64 sum = 0;
#pragma unroll
  for (int warp = 0; warp < threads_per_block / warp_size; ++warp) sum += shared.of_warp[warp];
  return sum;
}

extern "C" __global__ void __launch_bounds__(threads_per_block)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const Input* const in = arguments.in;
  u64 n = arguments.n;
  const PassedScalars passed = passed_scalars(arguments);
  Workspace* const workspace = arguments.workspace;
  announce_start();
  await_previous_kernel();
  if (has_limits) n = items_of(arguments);
  const u64 sum = sum_of_block(count_share(in, n, read_scalars(passed)), static_shared<SharedStorage>());
  if (thread_index() != 0) return;
  add_relaxed(&workspace->sum, sum);
  const u32 finished = add_acquire_release(&workspace->finished, 1);
  if (finished >= grid_size()) abort_kernel();  // another launch counts at the same time in the same workspace
  if (finished != grid_size() - 1) return;

  // The last block: the total, and the workspace as the next launch expects it.
  *arguments.total = load_relaxed(&workspace->sum);
  store_relaxed(&workspace->sum, u64(0));
  store_relaxed(&workspace->finished, 0u);
}
