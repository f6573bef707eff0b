// Scans along an axis that is not the last one, in a single pass: tiles of rows and columns, in the order of tickets;
// each column of a tile learns its prefix from the tiles before it along the axis.
#pragma once

#include "algorithm/start.initial.cuh"
#include "block/axis_panel.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "grid/axis_lookback.cuh"
#include "grid/claim.ticket.cuh"
#include "parameters.cuh"
#include "thread/axis_scan.cuh"

// A tile of few columns, which is contiguous memory. The rows of a group lie a little apart from those of the next one,
// so that the threads of a warp meet in no banks.
union Stage {
  Input in[stage_items];
  Output out[stage_items];
};

struct SharedStorage {
  LookbackStorage lookback;
  Stage stage;
  u32 tile;
  u32 epoch;
};

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

// How the items are divided into tiles: `rows` rows of a panel, but the last tile along the axis may have fewer.
struct Tiles {
  Panel panel;
  u64 rows;   // of a tile
  u64 along;  // tiles of a chain
};

// Of contiguous tiles, a panel is all columns of one index of the outer dimensions.
template <bool staged>
__device__ __forceinline__ Tiles tiles_of(const Arguments& arguments, u64 units) {
  Tiles tiles;
  if (staged) {
    tiles.panel = {units, units / arguments.inner, int(arguments.inner), threads_per_block / int(arguments.inner)};
  } else {
    tiles.panel = panel_of(units, arguments.length, items_per_thread);
  }
  tiles.rows = u64(tiles.panel.groups) * items_per_thread;
  tiles.along = (arguments.length + tiles.rows - 1) / tiles.rows;
  return tiles;
}

// Whether tiles are contiguous: there are few columns, and rows for at least half a tile.
__device__ __forceinline__ bool is_staged(const Arguments& arguments) {
  if (arguments.inner > staged_columns) return false;
  return arguments.length >= u64(threads_per_block / int(arguments.inner)) * items_per_thread / 2;
}

// Items between a group's first one and the next group's, in a stage.
__device__ __forceinline__ int group_pitch(int width) {
  constexpr int banks = sizeof(Input) < 128 ? 128 / sizeof(Input) : 1;
  const int items = items_per_thread * width;
  return items + (width == 1 ? (items + 1) % 2 : (width + items / banks * banks + banks - items) % banks);
}

// Where a thread's items of a tile in memory are in the stage: they are threads_per_block apart in memory.
struct StagePlace {
  int group, item;  // item: within the group's rows
};

__device__ __forceinline__ void advance(StagePlace& place, int group_items) {
  place.group += threads_per_block / group_items;
  place.item += threads_per_block % group_items;
  if (place.item < group_items) return;
  place.item -= group_items;
  ++place.group;
}

__device__ __forceinline__ void fill_stage(const Input* from, int items, int width, Stage& stage) {
  const int group_items = items_per_thread * width, pitch = group_pitch(width);
  Input loaded[items_per_thread];
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    const int at = i * threads_per_block + thread_index();
    if (at < items) loaded[i] = from[at];
  }
  StagePlace place{thread_index() / group_items, thread_index() % group_items};
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (i * threads_per_block + thread_index() < items) stage.in[place.group * pitch + place.item] = loaded[i];
    advance(place, group_items);
  }
}

__device__ __forceinline__ void empty_stage(Output* to, int items, int width, const Stage& stage) {
  const int group_items = items_per_thread * width, pitch = group_pitch(width);
  StagePlace place{thread_index() / group_items, thread_index() % group_items};
  for (int at = thread_index(); at < items; at += threads_per_block) {
    to[at] = stage.out[place.group * pitch + place.item];
    advance(place, group_items);
  }
}

// The prefixes of the tile's columns, if has_prefix. The threads of the first group publish what the next tiles of the
// chain need; `total` is what their columns fold to in this tile.
template <int count>
__device__ __forceinline__ void exchange_prefixes(const Chain& chain, u64 along, u32 epoch, bool has_column,
                                                  const Panel& panel, const Accumulator (&total)[count],
                                                  Accumulator (&prefix)[count], LookbackStorage& storage) {
  const bool leads = has_column && thread_index() < panel.width, is_last = chain.tile + 1 == along;
  if (chain.tile > 0) {
    if (leads && !is_last) publish_values(chain, epoch, aggregate, total);
    look_back(chain, epoch, has_column, panel.width, panel.groups, prefix, storage);
    if (leads) store_values(storage.values, thread_index(), prefix);
  }
  if (leads && !is_last) {
    Accumulator inclusive[count];
#pragma unroll
    for (int c = 0; c < count; ++c) {
      inclusive[c] = has_initial || chain.tile > 0 ? combine(prefix[c], total[c]) : total[c];
    }
    publish_values(chain, epoch, inclusive_prefix, inclusive);
  }
  if (chain.tile == 0) return;
  block_barrier();
  if (has_column) load_values(storage.values, thread_index() % panel.width, prefix);
}

// Scans tile `number` of all.
template <bool vectors, bool staged>
__device__ __forceinline__ void scan_tile(const Arguments& arguments, const Scalars& scalars, const Tiles& tiles,
                                          u32 number, SharedStorage& shared) {
  constexpr int count = ColumnItems<Input, vectors>::count;
  const Panel& panel = tiles.panel;
  const u64 inner = arguments.inner;
  const u64 tile = number / u32(panel.panels), unit_begin = u64(number % u32(panel.panels)) * u64(panel.width);
  const u64 row = tile * tiles.rows;
  const int tile_rows = arguments.length - row < tiles.rows ? int(arguments.length - row) : int(tiles.rows);
  const int group = thread_index() / panel.width, lane = thread_index() % panel.width;
  const u64 unit = unit_begin + u64(lane), own_row = row + u64(group) * items_per_thread;
  const bool has_column = group < panel.groups && unit < panel.units;
  const int left = has_column ? tile_rows - group * items_per_thread : 0;
  const int valid = left < items_per_thread ? left : items_per_thread;
  const u64 begin = item_of_column(unit_begin * count, arguments.length, inner) + row * inner;
  const u64 first = staged || !has_column ? 0 : item_of_column(unit * count, arguments.length, inner) + own_row * inner;
  const int place = staged ? group * group_pitch(panel.width) + lane : 0;

  // Upsweep: what the tile's columns fold to, and what the groups before this one do.
  ColumnRows<vectors> rows;
  if (staged) {
    fill_stage(arguments.in + begin, tile_rows * panel.width, panel.width, shared.stage);
    block_barrier();
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if (i < valid) rows.row[i].item[0] = shared.stage.in[place + i * panel.width];
    }
  } else {
    load_rows<vectors>(arguments.in + first, inner, valid, rows);
  }
  Accumulator total[count], before[count], prefix[count];
  if (valid > 0) fold_rows<vectors>(rows, valid, total);
  PanelValues& values = shared.lookback.values;
  const int active = (tile_rows + items_per_thread - 1) / items_per_thread;
  scan_groups(total, valid > 0, active, panel.width, values);
  if (valid > 0 && group > 0) load_values(values, thread_index() - panel.width, before);
  if (has_column && group == 0) load_values(values, (active - 1) * panel.width + lane, total);
  block_barrier();

  // The prefixes of the columns.
#pragma unroll
  for (int c = 0; c < count; ++c) prefix[c] = initial_of(scalars);
  const Chain chain{descriptors(arguments.workspace) + unit * count, arguments.columns, tile};
  const bool has_prefix = has_initial || tile > 0;
  exchange_prefixes(chain, tiles.along, shared.epoch, has_column, panel, total, prefix, shared.lookback);

  // Downsweep: the result of every item, from the prefixes.
  if (valid > 0) {
    if (group > 0) {
      if (has_prefix) append_values(prefix, before);
#pragma unroll
      for (int c = 0; c < count; ++c) prefix[c] = has_prefix ? prefix[c] : before[c];
    }
    const bool has_running = has_prefix || group > 0;
    if (staged) {
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) {
        if (i >= valid) continue;
        shared.stage.out[place + i * panel.width] =
            scan_row<vectors>(rows.row[i], has_running || i > 0, prefix).item[0];
      }
    } else {
      scan_rows<vectors>(rows, valid, arguments.out + first, inner, has_running, prefix);
    }
  }
  if (staged) {
    block_barrier();
    empty_stage(arguments.out + begin, tile_rows * panel.width, panel.width, shared.stage);
  }
}

// Claims tiles until there are no more. A tile depends only on tiles of smaller numbers, which blocks that run already
// have, and each block takes its tiles in their order.
template <bool vectors, bool staged>
__device__ __forceinline__ void scan_tiles(const Arguments& arguments, const Scalars& scalars, SharedStorage& shared) {
  constexpr int count = ColumnItems<Input, vectors>::count;
  const Tiles tiles = tiles_of<staged>(arguments, arguments.columns / count);
  const u64 all = tiles.panel.panels * tiles.along;
  if (all >> 31 != 0) abort_kernel();  // more tiles than tickets: no memory holds so many items
  const u64 used = tiles.along > 1 ? arguments.columns * tiles.along : 0;
  const u32 scrubbed = used >> 32 != 0 ? ~0u : u32(used);
  const u32 own_tickets = tickets_per_block(u32(all)), tickets = own_tickets * grid_size();
  u64 ticket = 0;
  if (thread_index() == 0) ticket = take_ticket(arguments.workspace, 0);
  for (u32 done = 0;; ++done) {
    if (thread_index() == 0) {
      const Claim claim = claim_of(ticket);
      if (done == 0) shared.epoch = claim.epoch;
      if (done < own_tickets) settle_claim(arguments.workspace, claim, shared.epoch, 1, tickets, scrubbed);
      // A block that finds no more tiles takes the rest of its tickets at once.
      const u32 left = own_tickets - (done + 1);
      if (done < own_tickets && claim.number >= all && left > 0) {
        settle_claim(arguments.workspace, claim_of(take_tickets(arguments.workspace, left)), shared.epoch, left,
                     tickets, scrubbed);
      }
      shared.tile = claim.number;
      // Asked for long before the answer is needed.
      ticket = all;
      if (done + 1 < own_tickets && claim.number < all) ticket = take_ticket(arguments.workspace, done + 1);
    }
    block_barrier();  // also until all have read what this tile's values take the place of
    const u32 tile = shared.tile;
    if (tile >= all) return;
    scan_tile<vectors, staged>(arguments, scalars, tiles, tile, shared);
  }
}

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  await_previous_kernel();
  const Scalars scalars = read_scalars(passed);
  SharedStorage& shared = block_storage<SharedStorage>();
  if (staged_columns > 0 && is_staged(arguments)) {
    scan_tiles<false, (staged_columns > 0)>(arguments, scalars, shared);
  } else if (fills_vectors(arguments.in, arguments.inner) && fills_vectors(arguments.out, arguments.inner)) {
    scan_tiles<true, false>(arguments, scalars, shared);
  } else {
    scan_tiles<false, false>(arguments, scalars, shared);
  }
}
