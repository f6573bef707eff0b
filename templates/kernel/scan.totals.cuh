// Second step of scans in three: one block replaces each total by its exclusive prefix, from the initial value on. The
// first total has none if there is no initial value.
#pragma once

#include "algorithm/start.initial.cuh"
#include "block/scan.warp_scans.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "thread/load_ahead.cuh"
#include "thread/reduce.sequential.cuh"
#include "tile/geometry.cuh"

struct SharedStorage {
  BlockScanStorage scan;
};

// Replaces `valid` totals, at least one, by their exclusive prefixes. `prefix`, if has_prefix, is that of the first
// one. Returns the fold of all to all threads.
__device__ __forceinline__ Local scan_totals(Accumulator* totals, int valid, bool has_prefix, Accumulator prefix,
                                             SharedStorage& shared) {
  const int first = thread_index() * items_per_thread, own = items_of_thread(valid);
  Local items[items_per_thread];
  load_ahead(totals + first, own, items);
  const Local folded = thread_reduce<false>(items, own);
  Local carry;
  const Local total = block_scan<false>(folded, active_threads(valid), carry, shared.scan);
  if (thread_index() == 0) carry = prefix;
  if (thread_index() > 0 && has_prefix && own > 0) carry = combine(prefix, carry);
  bool has_carry = has_prefix || thread_index() > 0;
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (i >= own) continue;
    if (has_carry) totals[first + i] = carry;
    carry = has_carry ? combine(carry, items[i]) : items[i];
    has_carry = true;
  }
  return total;
}

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  await_previous_kernel();
  SharedStorage& shared = block_storage<SharedStorage>();
  const u64 count = *arguments.total_count;
  Accumulator prefix = initial_of(read_scalars(passed));
  bool has_prefix = has_initial;
  for (u64 first = 0; first < count; first += tile_items) {
    const int valid = count - first < tile_items ? int(count - first) : tile_items;
    const Local total = scan_totals(arguments.totals + first, valid, has_prefix, prefix, shared);
    prefix = has_prefix ? combine(prefix, total) : total;
    has_prefix = true;
    block_barrier();
  }
}
