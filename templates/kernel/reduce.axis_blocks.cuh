// Folds along an axis that is not the last one: each block folds panels of columns, from their first rows to their last
// ones, and waits for no other block. The groups of its threads have rows of the same columns.
#pragma once

#include "algorithm/hooks.reduce.cuh"
#include "algorithm/start.initial.cuh"
#include "block/axis_panel.cuh"
#include "block/column_groups.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "grid/empty_columns.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"
#include "thread/axis_share.cuh"
#include "tile/prefetch.none.cuh"

// What the warps of a block have folded of their columns, or groups where they are a warp or more: by turns, so that a
// block's next panel need not wait until this one is folded.
struct SharedStorage {
  PanelValues values[2];
};

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

// The rows of a group: neighbouring ones where items are combined in their order, otherwise every so many-th one.
__device__ __forceinline__ Share<u64> rows_of_group(u64 length, const Place& place) {
  const u64 groups = u64(place.groups), group = u64(place.group), each = divided(length + groups - 1, groups);
  if (in_order) {
    const u64 first = group * each, left = first < length ? length - first : 0;
    return {first, left < each ? left : each, 1, int(divided(length + each - 1, each))};
  }
  const u64 count = group < length ? divided(length - group + groups - 1, groups) : 0;
  return {group, count, groups, length < groups ? int(length) : place.groups};
}

// Folds the groups of a warp in their order; the first one gets the results. `active`: groups of the block that have a
// total, the first ones; none for a thread without a column.
template <int count>
__device__ __forceinline__ void fold_lanes(const Place& place, int active, Accumulator (&total)[count]) {
  for (int distance = 1; distance >> place.part_bits == 0; distance *= 2) {
    const bool has_above = place.group + distance < active && lane_index() + distance * place.width < warp_size;
#pragma unroll
    for (int c = 0; c < count; ++c) {
      const Accumulator above = shuffle_down(total[c], distance * place.width);
      if (has_above) total[c] = combine(total[c], above);
    }
  }
}

// Folds all groups in their order; the first one gets the results. Called by all threads of the block.
template <int count>
__device__ __forceinline__ void fold_block(const Place& place, int active, bool has_column, Accumulator (&total)[count],
                                           PanelValues& values) {
  fold_lanes(place, has_column ? active : 0, total);
  const int others = (1 << place.part_bits) - 1, parts = (active + others) >> place.part_bits;
  if (parts == 1) return;  // the same for all threads
  if (has_column && place.group < active && (place.group & others) == 0) {
    store_values(values, place.part * place.width + place.unit, total);
  }
  block_barrier();
  if (!has_column || place.group > 0) return;
#pragma unroll 4
  for (int part = 1; part < parts; ++part) {
    Accumulator of_part[count];
    load_values(values, part * place.width + place.unit, of_part);
    append_values(total, of_part);
  }
}

template <bool vectors>
__device__ __forceinline__ void fold_panels(const Arguments& arguments, Accumulator initial, SharedStorage& shared) {
  constexpr int count = ColumnItems<Input, vectors>::count;
  const u64 length = arguments.length, inner = arguments.inner, units = arguments.columns / count;
  const Place place = place_of(width_bits_of(units, length, panel_width, items_per_thread));
  const Share<u64> share = rows_of_group(length, place);
  const u64 width = u64(place.width);
  u32 turn = 0;
  for (u64 first = block_index() * width; first < units; first += grid_size() * width, turn ^= 1) {
    const u64 unit = first + u64(place.unit), column = unit * count;
    const bool has_column = unit < units && place.group < place.groups;
    Accumulator total[count];
    if (has_column && share.count > 0) {
      fold_share<vectors>(arguments.in + item_of_column(column, length, inner) + share.first * inner, share, inner,
                          total);
    }
    fold_block(place, share.active, has_column, total, shared.values[turn]);
    if (has_column && place.group == 0) finish_columns<vectors>(arguments.out + column, initial, total);
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
  const Accumulator initial = initial_of(read_scalars(passed));
  if (arguments.length == 0) {
    finish_empty_columns(arguments, initial);
    return;
  }
  SharedStorage& shared = block_storage<SharedStorage>();
  if (fills_vectors(arguments.in, arguments.inner)) {
    fold_panels<true>(arguments, initial, shared);
  } else {
    fold_panels<false>(arguments, initial, shared);
  }
}
