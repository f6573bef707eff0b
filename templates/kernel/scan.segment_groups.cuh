// Scans of segments: a group of threads scans a segment, stretch by stretch, and no group waits for another one's. What
// is long for a group is scanned by the whole block, afterwards. A thread has neighbouring items.
#pragma once

#include "algorithm/limits.segments.cuh"
#include "algorithm/row_initial.none.cuh"
#include "block/long_segments.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "block/values.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"
#include "thread/load_ahead.cuh"
#include "thread/segment_extent.cuh"
#include "tile/prefetch_segments.cuh"
#include "warp/lane_groups.cuh"

struct SharedStorage {
  BlockValues values;
  LongSegments segments;
};

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

// What comes before a stretch in its segment, if anything does.
struct Prefix {
  bool is_there;
  Value value;
};

__device__ __forceinline__ Prefix append(const Prefix& prefix, Value value) {
  return {true, prefix.is_there ? Value(combine(prefix.value, value)) : value};
}

// Scans a stretch of a segment from item `first` on: each of `threads` threads has the items of its place. Afterwards,
// `prefix` has the stretch, too. scan(own, active, exclusive): scans the threads' totals.
template <int threads, typename Scan>
__device__ __forceinline__ void scan_stretch(const Arguments& arguments, u64 first, u64 end, int place, Prefix& prefix,
                                             const Scan& scan) {
  constexpr int most = threads * items_per_thread;
  const int all = first >= end ? 0 : end - first < most ? int(end - first) : most;
  const int left = all - place * items_per_thread;
  const int valid = left < 0 ? 0 : left < items_per_thread ? left : items_per_thread;
  const u64 at = first + u64(place * items_per_thread);
  Input items[items_per_thread];
  load_ahead(arguments.in + at, valid, items);
  Value inclusive[items_per_thread], total, exclusive;
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (i >= valid) continue;
    total = i > 0 ? Value(combine(total, Value(items[i]))) : Value(items[i]);
    inclusive[i] = total;
  }
  const int active = (all + items_per_thread - 1) / items_per_thread;
  const Value all_items = scan(total, active > 0 ? active : 1, exclusive);
  Prefix before = prefix;
  if (place > 0 && valid > 0) before = append(prefix, exclusive);
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (i >= valid) continue;
    const Value value = before.is_there ? Value(combine(before.value, inclusive[i])) : inclusive[i];
    const Value exclusive_value =
        i > 0 && before.is_there ? Value(combine(before.value, inclusive[i - 1])) : before.value;
    arguments.out[at + u64(i)] = Output(rows_have_initial ? exclusive_value : value);
  }
  if (all > 0) prefix = append(prefix, all_items);
}

// Scans a segment by all threads of the block.
__device__ __forceinline__ void scan_together(const Arguments& arguments, u64 segment, const Scalars& scalars,
                                              BlockValues& storage) {
  const Extent extent = extent_of(arguments, segment);
  Prefix prefix{rows_have_initial, row_initial_of(scalars)};
  for (u64 first = extent.begin; first < extent.end; first += threads_per_block * items_per_thread) {
    scan_stretch<threads_per_block>(
        arguments, first, extent.end, thread_index(), prefix,
        [&](Value own, int active, Value& exclusive) { return scan_values(own, active, exclusive, storage); });
  }
}

// Scans the segments of the block's groups from number `batch` on, but for long ones. Returns whether this thread's
// segment is long.
__device__ __forceinline__ bool scan_by_groups(const Arguments& arguments, u64 batch, const Scalars& scalars) {
  const u64 segment = batch + u64(thread_index() / threads_per_segment);
  Extent extent{0, 0};
  if (segment < arguments.segments) extent = extent_of(arguments, segment);
  const bool is_long = extent.end - extent.begin > most_items_of_group;
  if (is_long) extent.end = extent.begin;
  Prefix prefix{rows_have_initial, row_initial_of(scalars)};
  // By all lanes of the warp, so that each can exchange with its group.
  for (u64 first = extent.begin; warp_ballot(first < extent.end) != 0; first += items_of_group) {
    scan_stretch<threads_per_segment>(
        arguments, first, extent.end, thread_index() % threads_per_segment, prefix,
        [](Value own, int active, Value& exclusive) { return scan_lanes<lanes_of_group>(own, active, exclusive); });
  }
  return is_long;
}

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  prefetch_segments(arguments);
  await_previous_kernel();
  SharedStorage& shared = block_storage<SharedStorage>();
  const Scalars scalars = read_scalars(passed);
  const auto together = [&](u64 segment) { scan_together(arguments, segment, scalars, shared.values); };
  if (threads_per_segment > warp_size) {
    for (u64 segment = block_index(); segment < arguments.segments; segment += grid_size()) together(segment);
    return;
  }
  u32 turn = 0;
  const u64 step = u64(grid_size()) * groups_per_block;
  for (u64 batch = u64(block_index()) * groups_per_block; batch < arguments.segments; batch += step, turn ^= 1) {
    const bool is_long = scan_by_groups(arguments, batch, scalars);
    for_long_segments(is_long, batch, turn, shared.segments, together);
  }
}
