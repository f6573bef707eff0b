// Scans along an axis that is not the last one: each block scans panels of columns, from their first rows to their
// last ones, and waits for no other block. The groups of its threads have neighbouring rows of the same columns.
#pragma once

#include "algorithm/start.initial.cuh"
#include "block/axis_panel.cuh"
#include "block/column_groups.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"
#include "thread/axis_scan.cuh"
#include "tile/prefetch.none.cuh"

// What a warp has folded of its columns, or a group where it is a warp or more: by turns, so that a block's next rows
// need not wait until all have read those of the rows before.
struct SharedStorage {
  PanelValues values[2];
};

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

// Scans the groups of each warp: `total`, of a thread's rows, also has those of the groups before it; `before`: of
// these alone, if there are any.
template <int count>
__device__ __forceinline__ void scan_lanes(int width, bool has_rows, Accumulator (&total)[count],
                                           Accumulator (&before)[count]) {
  if (width >= warp_size) return;
  for (int distance = width; distance < warp_size; distance *= 2) {
#pragma unroll
    for (int c = 0; c < count; ++c) {
      const Accumulator below = shuffle_up(total[c], distance);
      if (has_rows && lane_index() >= distance) total[c] = combine(below, total[c]);
    }
  }
#pragma unroll
  for (int c = 0; c < count; ++c) before[c] = shuffle_up(total[c], width);
}

// What comes before a thread's rows, if anything does.
template <int count>
struct Prefix {
  bool is_there;
  Accumulator value[count];

  __device__ __forceinline__ void append(const Accumulator (&right)[count]) {
#pragma unroll
    for (int c = 0; c < count; ++c) value[c] = is_there ? combine(value[c], right[c]) : right[c];
    is_there = true;
  }
};

// The prefix of a thread's rows, from that of the block's rows, which afterwards is that of the next ones, if there are
// any. `active`: groups that have rows. Called by all threads of the block.
template <int count>
__device__ __forceinline__ Prefix<count> scan_groups(const Place& place, int active, bool has_rows,
                                                     Accumulator (&total)[count], Prefix<count>& carry,
                                                     PanelValues& values) {
  Accumulator before[count];
  scan_lanes(place.width, has_rows, total, before);
  const int others = (1 << place.part_bits) - 1, whole_parts = active >> place.part_bits;
  const bool is_last = (place.group & others) == others;
  if (has_rows && is_last) store_values(values, place.part * place.width + place.unit, total);
  block_barrier();
  Prefix<count> prefix = carry;
  for (int part = 0; part < whole_parts && has_rows; ++part) {
    Accumulator of_part[count];
    load_values(values, part * place.width + place.unit, of_part);
    carry.append(of_part);
    if (part + 1 == place.part) prefix = carry;
  }
  if (has_rows && (place.group & others) > 0) prefix.append(before);
  return prefix;
}

// Scans the panel of columns from number `unit` on.
template <bool vectors>
__device__ __forceinline__ void scan_panel(const Arguments& arguments, const Scalars& scalars, u64 unit, u64 units,
                                           const Place& place, u32& turn, SharedStorage& shared) {
  constexpr int count = ColumnItems<Input, vectors>::count, rows_each = rows_at_once<vectors>;
  const u64 length = arguments.length, inner = arguments.inner, column = (unit + u64(place.unit)) * count;
  const int most = place.groups * rows_each;
  const bool has_columns = unit + u64(place.unit) < units && place.group < place.groups;
  const u64 first = has_columns ? item_of_column(column, length, inner) : 0;
  Prefix<count> carry;
  carry.is_there = has_initial;
#pragma unroll
  for (int c = 0; c < count; ++c) carry.value[c] = initial_of(scalars);
  for (u64 row = 0; row < length; row += u64(most), turn ^= 1) {
    const int rows_there = length - row < u64(most) ? int(length - row) : most;
    const int left = rows_there - place.group * rows_each;
    const int valid = !has_columns || left < 0 ? 0 : left < rows_each ? left : rows_each;
    const u64 at = first + (row + u64(place.group * rows_each)) * inner;
    ColumnRows<vectors, rows_each> rows;
    load_rows<vectors>(arguments.in + at, inner, valid, rows);
    Accumulator total[count];
    fold_rows<vectors, false>(rows, valid, false, total);
    const int active = (rows_there + rows_each - 1) / rows_each;
    Prefix<count> prefix = scan_groups(place, active, valid > 0, total, carry, shared.values[turn]);
    scan_rows<vectors>(rows, valid, arguments.out + at, inner, prefix.is_there, prefix.value);
  }
}

template <bool vectors>
__device__ __forceinline__ void scan_panels(const Arguments& arguments, const Scalars& scalars, SharedStorage& shared) {
  const u64 units = arguments.columns / ColumnItems<Input, vectors>::count;
  constexpr int panel = vectors ? panel_width : panel_width * columns_per_thread;
  const Place place = place_of(width_bits_of(units, arguments.length, panel, rows_at_once<vectors>));
  const u64 width = u64(place.width);
  u32 turn = 0;
  for (u64 unit = block_index() * width; unit < units; unit += grid_size() * width) {
    scan_panel<vectors>(arguments, scalars, unit, units, place, turn, shared);
  }
}

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  constexpr int share = threads_per_block * items_per_thread * columns_per_thread;
  const PassedScalars passed = passed_scalars(arguments);
  const u64 items = arguments.columns * arguments.length;
  announce_start();
  // Some block's items: where there are few, each block loads about as many.
  if (thread_index() == 0 && items <= u64(grid_size()) * share) {
    prefetch_tile<share>(arguments.in, items, block_index());
  }
  await_previous_kernel();
  const Scalars scalars = read_scalars(passed);
  SharedStorage& shared = block_storage<SharedStorage>();
  if (fills_vectors(arguments.in, arguments.inner) && fills_vectors(arguments.out, arguments.inner)) {
    scan_panels<true>(arguments, scalars, shared);
  } else {
    scan_panels<false>(arguments, scalars, shared);
  }
}
