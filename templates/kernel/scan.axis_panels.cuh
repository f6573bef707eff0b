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
  int rows;   // of a tile
  u32 along;  // tiles of a chain
};

// Of contiguous tiles, a panel is all columns of one index of the outer dimensions. More tiles than there are tickets
// are refused: 2^31 of at least 32 items.
template <bool staged>
__device__ __forceinline__ Tiles tiles_of(const Arguments& arguments, u64 units) {
  Tiles tiles;
  if (staged) {
    const int width = int(arguments.inner);
    tiles.panel = {units, units / arguments.inner, width, threads_per_block / width};
  } else {
    tiles.panel = panel_of(units, arguments.length, items_per_thread);
  }
  tiles.rows = tiles.panel.groups * items_per_thread;
  const u64 along = (arguments.length + u64(tiles.rows) - 1) / u64(tiles.rows);
  if ((tiles.panel.panels | along) >> 31 != 0 || tiles.panel.panels * along >> 31 != 0) abort_kernel();
  tiles.along = u32(along);
  return tiles;
}

// Whether tiles are contiguous memory: where columns are few, and the axis has at least half as many rows as a tile.
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
__device__ __forceinline__ void exchange_prefixes(const Chain& chain, u32 along, u32 epoch, bool has_column,
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

// What a thread has of a tile.
struct Share {
  u64 column;  // the first
  int group, lane;
  int valid;        // rows, from the group's first one on
  bool has_column;  // also where the tile has no rows for the group
};

template <int count>
__device__ __forceinline__ Share share_of(const Tiles& tiles, u32 panel, int tile_rows) {
  Share share;
  share.group = thread_index() / tiles.panel.width;
  share.lane = thread_index() % tiles.panel.width;
  const u64 unit = u64(panel) * u64(tiles.panel.width) + u64(share.lane);
  share.column = unit * count;
  share.has_column = share.group < tiles.panel.groups && unit < tiles.panel.units;
  const int left = share.has_column ? tile_rows - share.group * items_per_thread : 0;
  share.valid = left < items_per_thread ? left : items_per_thread;
  return share;
}

// Exchanges what the columns of a tile of `tile_rows` rows fold to; `total`: a thread's share of it. Afterwards
// `running` is the fold of what comes before the thread's rows: whether there is anything.
template <int count>
__device__ __forceinline__ bool scan_panel(const Arguments& arguments, const Scalars& scalars, const Tiles& tiles,
                                           u32 tile, int tile_rows, const Share& share, Accumulator (&total)[count],
                                           Accumulator (&running)[count], SharedStorage& shared) {
  PanelValues& values = shared.lookback.values;
  const int width = tiles.panel.width, active = (tile_rows + items_per_thread - 1) / items_per_thread;
  const bool is_active = share.valid > 0;
  // What the tile's columns fold to, and what the groups before this one do.
  Accumulator before[count];
  scan_groups(total, is_active, active, width, values);
  if (is_active && share.group > 0) load_values(values, thread_index() - width, before);
  if (share.has_column && share.group == 0) load_values(values, (active - 1) * width + share.lane, total);
  block_barrier();

  // The prefixes of the columns.
#pragma unroll
  for (int c = 0; c < count; ++c) running[c] = initial_of(scalars);
  const Chain chain{descriptors(arguments.workspace) + share.column, arguments.columns, tile};
  exchange_prefixes(chain, tiles.along, shared.epoch, share.has_column, tiles.panel, total, running, shared.lookback);
  const bool has_prefix = has_initial || tile > 0;
  if (is_active && share.group > 0) {
    if (has_prefix) append_values(running, before);
#pragma unroll
    for (int c = 0; c < count; ++c) running[c] = has_prefix ? running[c] : before[c];
  }
  return has_prefix || share.group > 0;
}

// Scans tile `number` of all, from memory to memory.
template <bool vectors>
__device__ __forceinline__ void scan_tile(const Arguments& arguments, const Scalars& scalars, const Tiles& tiles,
                                          u32 number, SharedStorage& shared) {
  constexpr int count = ColumnItems<Input, vectors>::count;
  const u32 panels = u32(tiles.panel.panels), tile = number / panels;
  const u64 row = u64(tile) * u64(tiles.rows), inner = arguments.inner;
  const int tile_rows = arguments.length - row < u64(tiles.rows) ? int(arguments.length - row) : tiles.rows;
  const Share share = share_of<count>(tiles, number % panels, tile_rows);
  u64 first = 0;
  ColumnRows<vectors> rows;
  if (share.valid > 0) {
    first = item_of_column(share.column, arguments.length, inner) + (row + u64(share.group * items_per_thread)) * inner;
    load_rows<vectors>(arguments.in + first, inner, share.valid, rows);
  }
  Accumulator total[count], running[count];
  if (share.valid > 0) fold_rows<vectors>(rows, share.valid, total);
  const bool has_running = scan_panel<count>(arguments, scalars, tiles, tile, tile_rows, share, total, running, shared);
  if (share.valid > 0) scan_rows<vectors>(rows, share.valid, arguments.out + first, inner, has_running, running);
}

// A thread's rows in the stage. They stay there, if results fit into their places; otherwise in registers.
struct StagedRows {
  static constexpr bool stay = sizeof(Input) == sizeof(Output);
  Input* first;
  int width;
  Input item[stay ? 1 : items_per_thread];

  __device__ __forceinline__ Input at(int i) const { return stay ? first[i * width] : item[i]; }
};

// The same of a tile that is contiguous memory, through the stage.
__device__ __forceinline__ void scan_staged_tile(const Arguments& arguments, const Scalars& scalars, const Tiles& tiles,
                                                 u32 number, SharedStorage& shared) {
  const u32 panels = u32(tiles.panel.panels), tile = number / panels;
  const u64 row = u64(tile) * u64(tiles.rows);
  const int tile_rows = arguments.length - row < u64(tiles.rows) ? int(arguments.length - row) : tiles.rows;
  const int width = tiles.panel.width;
  const Share share = share_of<1>(tiles, number % panels, tile_rows);
  const u64 begin = (u64(number % panels) * arguments.length + row) * arguments.inner;
  const int place = share.valid > 0 ? share.group * group_pitch(width) + share.lane : 0;

  fill_stage(arguments.in + begin, tile_rows * width, width, shared.stage);
  block_barrier();
  StagedRows rows;
  rows.first = shared.stage.in + place;
  rows.width = width;
  Accumulator total[1], running[1];
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (i >= share.valid) continue;
    if (!StagedRows::stay) rows.item[i] = rows.first[i * width];
    const Accumulator item = lift(rows.at(i));
    total[0] = i > 0 ? combine(total[0], item) : item;
  }
  const bool has_running = scan_panel<1>(arguments, scalars, tiles, tile, tile_rows, share, total, running, shared);
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (i >= share.valid) continue;
    ColumnItems<Input, false> item;
    item.item[0] = rows.at(i);
    shared.stage.out[place + i * width] = scan_row<false>(item, has_running || i > 0, running).item[0];
  }
  block_barrier();
  empty_stage(arguments.out + begin, tile_rows * width, width, shared.stage);
}

// Claims tiles until there are no more. A tile depends only on tiles of smaller numbers, which blocks that run already
// have, and each block takes its tiles in their order.
template <bool vectors, bool staged>
__device__ __forceinline__ void scan_tiles(const Arguments& arguments, const Scalars& scalars, SharedStorage& shared) {
  constexpr int count = ColumnItems<Input, vectors>::count;
  const Tiles tiles = tiles_of<staged>(arguments, arguments.columns / count);
  const u32 all = u32(tiles.panel.panels) * tiles.along;
  const u64 used = tiles.along > 1 ? arguments.columns * tiles.along : 0;
  const u32 scrubbed = used >> 32 != 0 ? ~0u : u32(used);
  const u32 own_tickets = tickets_per_block(all), tickets = own_tickets * grid_size();
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
    if (staged) {
      scan_staged_tile(arguments, scalars, tiles, tile, shared);
    } else {
      scan_tile<vectors>(arguments, scalars, tiles, tile, shared);
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
  if (staged_columns > 0 && is_staged(arguments)) {
    scan_tiles<false, (staged_columns > 0)>(arguments, scalars, shared);
  } else if (fills_vectors(arguments.in, arguments.inner) && fills_vectors(arguments.out, arguments.inner)) {
    scan_tiles<true, false>(arguments, scalars, shared);
  } else {
    scan_tiles<false, false>(arguments, scalars, shared);
  }
}
