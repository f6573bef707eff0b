// Scans of rows: a group of threads scans a few rows at a time, and no group waits for another one's rows. A thread has
// neighbouring items. A longer row is scanned stretch by stretch.
#pragma once

#include "algorithm/row_initial.none.cuh"
#include "algorithm/row_pitch.none.cuh"
#include "block/scan_group.warp.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "operator/operator.plus.cuh"
#include "parameters.cuh"
#include "thread/row_results.cuh"
#include "thread/row_vectors.cuh"

struct SharedStorage {
  GroupScanStorage group;
};

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

constexpr int groups_per_block = threads_per_block / threads_per_row;

// Rows that a block scans at a time.
constexpr int block_rows = groups_per_block * rows_per_group;

// Items behind the last whole row, which are a shorter one.
__device__ __forceinline__ u64 items_left_over(const Arguments& arguments) {
  return arguments.n - arguments.rows * arguments.row_length;
}

// The stretch of a row from place `first` on. Places are counted from the begin of a vector. `aligned`: rows begin with
// vectors. Empty behind the last row.
template <bool aligned>
__device__ __forceinline__ Stretch stretch_of(const Arguments& arguments, u64 row, u64 first) {
  u64 end = arguments.row_length;
  if (row >= arguments.rows) end = row == arguments.rows ? items_left_over(arguments) : 0;
  if (end == 0) return {arguments.in, 0, 0};
  const Input* const from = arguments.in + row * in_pitch_of(arguments);
  const int before = aligned || !items_fill_vectors ? 0 : int(reinterpret_cast<u64>(from) % 16 / sizeof(Input));
  end += u64(before);
  const u64 left = end > first ? end - first : 0;
  return {from - before + first, first > 0 ? 0 : before, left < group_items ? int(left) : group_items};
}

// Scans a thread's items of a stretch, behind nothing; it has any. `whole`: all that it has room for. In the place of
// items behind the last one, that one stands again: nothing is made of what comes of it. Returns the fold of all.
template <bool aligned, bool whole>
__device__ __forceinline__ Value scan_items(const RowVectors& loaded, const Stretch& stretch, int lane,
                                            Value (&inclusive)[thread_items]) {
  Value total, own;
#pragma unroll
  for (int i = 0; i < thread_items; ++i) {
    const int place = lane * thread_items + i;
    if (whole || place < stretch.valid) own = Value(loaded.load[i / vector_items].item[i % vector_items]);
    const bool is_first = i == 0 || (!aligned && place <= stretch.begin);
    total = is_first ? own : Value(combine(total, own));
    inclusive[i] = total;
  }
  return total;
}

// The results of a thread's items, from its exclusive prefix, if it has one.
template <bool aligned>
__device__ __forceinline__ void make_results(const Value (&inclusive)[thread_items], const Stretch& stretch, int lane,
                                             bool has_exclusive, Value exclusive, RowResults& results) {
  Value before = exclusive;
#pragma unroll
  for (int i = 0; i < thread_items; ++i) {
    if (!aligned && lane * thread_items + i < stretch.begin) continue;
    const Value value = has_exclusive ? Value(combine(exclusive, inclusive[i])) : inclusive[i];
    results.item[i] = Output(rows_have_initial ? before : value);
    before = value;
  }
}

// Scans a stretch of a row. `prefix`: the fold of what lies before it in the row, if has_prefix; afterwards with it.
template <bool aligned, bool whole>
__device__ __forceinline__ void scan_stretch(const RowVectors& loaded, const Stretch& stretch, bool has_prefix,
                                             Value& prefix, Output* to, GroupScanStorage& storage) {
  const int lane = thread_index() % threads_per_row;
  const int active = whole ? threads_per_row : active_lanes(stretch.valid);
  Value inclusive[thread_items], exclusive, own;
  if (whole || lane < active) own = scan_items<aligned, whole>(loaded, stretch, lane, inclusive);
  const Value total = group_scan(own, active > 0 ? active : 1, exclusive, storage);
  if (whole || lane < active) {
    if (has_prefix) exclusive = lane > 0 ? Value(combine(prefix, exclusive)) : prefix;
    RowResults results;
    make_results<aligned>(inclusive, stretch, lane, has_prefix || lane > 0, exclusive, results);
    store_row(results, stretch, lane, to);
  }
  if (whole || stretch.valid == group_items) prefix = has_prefix ? Value(combine(prefix, total)) : total;
}

// A stretch of each of the group's rows, from place `first` on: loads all, then scans them. `row`: the group's first
// row; the others are groups_per_block apart.
template <bool aligned, bool whole>
__device__ __forceinline__ void scan_stretches(const Arguments& arguments, u64 row, u64 first,
                                               GroupScanStorage& storage, Value (&prefix)[rows_per_group]) {
  const int lane = thread_index() % threads_per_row;
  const Input* const last = arguments.in + in_places_of(arguments);
  RowVectors loaded[rows_per_group];
#pragma unroll
  for (int k = 0; k < rows_per_group; ++k) {
    load_row<whole>(stretch_of<aligned>(arguments, row + u64(k * groups_per_block), first), arguments.in, last, lane,
                    loaded[k]);
  }
#pragma unroll
  for (int k = 0; k < rows_per_group; ++k) {
    const u64 at = row + u64(k * groups_per_block);
    const Stretch stretch = stretch_of<aligned>(arguments, at, first);
    // Where the result of place 0 would go: as far from that of the row's first item as place 0 is from this one.
    Output* const to =
        arguments.out + at * out_pitch_of(arguments) + (stretch.from - arguments.in) - at * in_pitch_of(arguments);
    scan_stretch<aligned, whole>(loaded[k], stretch, rows_have_initial || first > 0, prefix[k], to, storage);
  }
}

// Scans all rows, of at least one item. A stretch is whole if all rows of the block have all of it.
template <bool aligned>
__device__ __forceinline__ void scan_rows(const Arguments& arguments, const Scalars& scalars,
                                          GroupScanStorage& storage) {
  const u64 length = arguments.row_length, places = length + (aligned ? 0 : vector_items - 1);
  const u64 rows = arguments.rows + (items_left_over(arguments) > 0 ? 1 : 0);
  // By all threads, so that each can exchange with its group.
  for (u64 batch = u64(block_index()) * block_rows; batch < rows; batch += u64(grid_size()) * block_rows) {
    const u64 row = batch + u64(thread_index() / threads_per_row);
    const bool has_all_rows = batch + block_rows <= arguments.rows;
    Value prefix[rows_per_group];
#pragma unroll
    for (int k = 0; k < rows_per_group; ++k) prefix[k] = row_initial_of(scalars);
    for (u64 first = 0; first < places; first += group_items) {
      if ((aligned || first > 0) && has_all_rows && length >= first + group_items) {
        scan_stretches<aligned, true>(arguments, row, first, storage, prefix);
      } else {
        scan_stretches<aligned, false>(arguments, row, first, storage, prefix);
      }
    }
  }
}

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  await_previous_kernel();
  const Scalars scalars = read_scalars(passed);
  SharedStorage& shared = block_storage<SharedStorage>();
  if (arguments.row_length == 0) return;
  if (items_fill_vectors && (reinterpret_cast<u64>(arguments.in) | in_pitch_of(arguments) * sizeof(Input)) % 16 == 0) {
    scan_rows<true>(arguments, scalars, shared.group);
  } else {
    scan_rows<false>(arguments, scalars, shared.group);
  }
}
