// Scans along an axis that is not the last one, in a single pass: tiles of rows and columns, in the order of tickets,
// wait in shared memory until each of their columns has its prefix from the tiles before along the axis.
#pragma once

#include "algorithm/start.initial.cuh"
#include "block/axis_fill.cuh"
#include "block/axis_folds.cuh"
#include "block/axis_stage.cuh"
#include "block/axis_tiles.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "grid/axis_lookback.cuh"
#include "grid/claim.ticket.cuh"
#include "parameters.cuh"
#include "thread/axis_scan.cuh"

struct SharedStorage {
  Stage stage;
  PanelFolds folds;
  Tiles tiles;
  Tile tile;  // the one in the stage
  u32 number;
  u32 epoch;
};

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

// What a thread has of all tiles.
struct Place {
  int group;
  int column;  // the first, within a panel
  int first;   // where the first item of the column is in the stage, if the first group had all rows
  int pitch;   // items from one row of the stage to the next
};

template <int count, bool whole_rows>
__device__ __forceinline__ Place place_of(const Arguments& arguments, int width) {
  Place place{thread_index() / width, thread_index() % width * count, 0, width * count};
  place.first = place.column;
  if (whole_rows) {
    place.pitch = int(arguments.inner);
    const int part = place.column / place.pitch;  // where there are several, their axes are short
    if (part > 0) place.first = part * int(arguments.length) * place.pitch + place.column % place.pitch;
  }
  return place;
}

// ---- Begins to load the tile to the stage.
template <bool vectors, bool whole_rows>
__device__ __forceinline__ void fill_stage(const Arguments& arguments, SharedStorage& shared) {
  const Tile& tile = shared.tile;
  if (whole_rows) {
    const Input* const from = arguments.in + tile.first_item;
    fill_contiguous(from, contiguous_items(from, tile.rows * tile.columns), shared.stage);
  } else {
    fill_rows<vectors>(arguments, tile, shared.tiles.width, shared.stage);
  }
}

// Results of whole rows wait in the stage, if they have the size of items. Of other tiles, neighbouring threads store
// neighbouring columns, so that results go straight to memory.
template <bool whole_rows>
constexpr bool results_wait = whole_rows&& results_fit;

// Where a thread's first item is in the stage.
template <bool whole_rows>
__device__ __forceinline__ int first_in_stage(const Arguments& arguments, const Place& place,
                                              const SharedStorage& shared) {
  const int first = place.group * shared.tiles.rows_each * place.pitch + place.first;
  return whole_rows ? first + shift_of(arguments.in + shared.tile.first_item) : first;
}

// Folds the first `valid` rows at `first`, or the whole batch of them, onto `total`, if has_total.
template <bool vectors, bool all>
__device__ __forceinline__ void fold_batch(const Stage& stage, int first, int pitch, int valid, bool has_total,
                                           Accumulator (&total)[ColumnItems<Input, vectors>::count]) {
  ColumnRows<vectors> rows;
  load_staged<vectors, all>(stage, first, pitch, valid, rows);
  fold_rows<vectors, all>(rows, valid, has_total, total);
}

// ---- Folds a thread's rows of the stage, and leaves what they fold to where the group has its place.
template <bool vectors, bool whole_rows>
__device__ __forceinline__ void fold_share(const Arguments& arguments, const Place& place, SharedStorage& shared) {
  constexpr int count = ColumnItems<Input, vectors>::count;
  const int columns = shared.tiles.width * count, pitch = place.pitch;
  const int rows = rows_of(shared.tiles, shared.tile, place.group, place.column);
  if (rows <= 0) return;
  const int first = first_in_stage<whole_rows>(arguments, place, shared);
  Accumulator total[count];
  int row = 0;
  for (; row + items_per_thread <= rows; row += items_per_thread) {
    fold_batch<vectors, true>(shared.stage, first + row * pitch, pitch, items_per_thread, row > 0, total);
  }
  fold_batch<vectors, false>(shared.stage, first + row * pitch, pitch, rows - row, row > 0, total);
#pragma unroll
  for (int c = 0; c < count; ++c) shared.folds.of_group[place.group * columns + place.column + c] = total[c];
}

// ---- Scans the folds of the groups, column by column, and publishes what the next tiles of the chain need first.
__device__ __forceinline__ void scan_folds(const Arguments& arguments, const Scalars& scalars, int step,
                                           SharedStorage& shared) {
  const int columns = shared.tile.columns, active = active_groups(shared.tiles, shared.tile);
  const u32 tile = shared.tile.number;
  const bool is_last = tile + 1 == shared.tiles.along;
  const Teams teams = teams_of(columns, 1);
  for (int first = warp_index() * teams.columns; first < columns;
       first += threads_per_block / warp_size * teams.columns) {
    const int column = first + teams.column;
    const bool is_there = column < columns && teams.place < teams.lanes;
    const Accumulator total = scan_groups(shared.folds.of_group + column, step, active, is_there, teams);
    if (is_last || !is_there || teams.place > 0) continue;
    const Chain chain{descriptors(arguments.workspace) + shared.tile.first_column + column, arguments.columns, tile};
    const bool has_before = has_initial && tile == 0;
    publish_value(chain, shared.epoch, tile == 0 ? inclusive_prefix : aggregate,
                  has_before ? combine(initial_of(scalars), total) : total);
  }
}

// ---- The prefixes of the columns of a tile that is not the first of its chain.
__device__ __forceinline__ void find_prefixes(const Arguments& arguments, int step, SharedStorage& shared) {
  const int columns = shared.tile.columns, last_group = active_groups(shared.tiles, shared.tile) - 1;
  const u32 tile = shared.tile.number;
  const Teams teams = teams_of(columns, sector_columns);
  for (int first = warp_index() * teams.columns; first < columns;
       first += threads_per_block / warp_size * teams.columns) {
    const int column = first + teams.column;
    const bool is_there = column < columns && teams.place < teams.lanes;
    const Chain chain{descriptors(arguments.workspace) + shared.tile.first_column + column, arguments.columns, tile};
    const Accumulator prefix = look_back(chain, shared.epoch, is_there, teams);
    if (!is_there || teams.place > 0) continue;
    if (tile + 1 < shared.tiles.along) {
      const Accumulator total = shared.folds.of_group[last_group * step + column];
      publish_value(chain, shared.epoch, inclusive_prefix, combine(prefix, total));
    }
    shared.folds.prefix[column] = prefix;
  }
}

// The fold of what comes before a thread's rows: whether there is anything.
template <int count>
__device__ __forceinline__ bool running_of(const Scalars& scalars, const Place& place, int columns,
                                           const SharedStorage& shared, Accumulator (&running)[count]) {
  const bool has_tiles = shared.tile.number > 0, has_prefix = has_initial || has_tiles;
#pragma unroll
  for (int c = 0; c < count; ++c) {
    running[c] = has_tiles ? shared.folds.prefix[place.column + c] : initial_of(scalars);
    if (place.group == 0) continue;
    const Accumulator before = shared.folds.of_group[(place.group - 1) * columns + place.column + c];
    running[c] = has_prefix ? combine(running[c], before) : before;
  }
  return has_prefix || place.group > 0;
}

// Scans the first `valid` rows at `first`, or the whole batch of them. The results take their place, or go to rows that
// are `inner` items apart.
template <bool vectors, bool stay, bool all>
__device__ __forceinline__ void scan_batch(Stage& stage, int first, int pitch, int valid, Output* to, u64 inner,
                                           bool has_running,
                                           Accumulator (&running)[ColumnItems<Input, vectors>::count]) {
  ColumnRows<vectors> rows;
  load_staged<vectors, all>(stage, first, pitch, valid, rows);
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (!all && i >= valid) continue;
    Output* const place = stay ? stage.out + first + i * pitch : to + u64(i) * inner;
    store_columns<vectors>(place, scan_row<vectors>(rows.row[i], has_running || i > 0, running));
  }
}

// ---- Scans a thread's rows of the stage. The results stay there, or go to memory.
template <bool vectors, bool whole_rows>
__device__ __forceinline__ void scan_share(const Arguments& arguments, const Scalars& scalars, const Place& place,
                                           SharedStorage& shared) {
  constexpr int count = ColumnItems<Input, vectors>::count;
  constexpr bool stay = results_wait<whole_rows>;
  const int columns = shared.tiles.width * count, pitch = place.pitch;
  const int rows = rows_of(shared.tiles, shared.tile, place.group, place.column);
  if (rows <= 0) return;
  const int first = first_in_stage<whole_rows>(arguments, place, shared);
  const u64 inner = arguments.inner;
  Output* to = nullptr;
  if (!stay) {
    to = arguments.out + item_of_column(shared.tile.first_column + u64(place.column), arguments.length, inner) +
         (shared.tile.row + u64(place.group * shared.tiles.rows_each)) * inner;
  }
  Accumulator running[count];
  const bool has_running = running_of<count>(scalars, place, columns, shared, running);
  int row = 0;
  for (; row + items_per_thread <= rows; row += items_per_thread) {
    scan_batch<vectors, stay, true>(shared.stage, first + row * pitch, pitch, items_per_thread, to, inner,
                                    has_running || row > 0, running);
    if (!stay) to += u64(items_per_thread) * inner;
  }
  scan_batch<vectors, stay, false>(shared.stage, first + row * pitch, pitch, rows - row, to, inner,
                                   has_running || row > 0, running);
}

// ---- Claims
struct Tickets {
  u32 all;   // tiles
  u32 own;   // tickets that the block takes
  u32 done;  // tiles that it has worked on
  u64 next;
};

// By one thread: settles the ticket that it holds, and tells the block the tile.
template <bool vectors>
__device__ __forceinline__ void claim_tile(const Arguments& arguments, const Tickets& tickets, SharedStorage& shared) {
  Workspace* const workspace = arguments.workspace;
  const Claim claim = claim_of(tickets.next);
  const u64 used = shared.tiles.along > 1 ? arguments.columns * shared.tiles.along : 0;
  const u32 scrubbed = used >> 32 != 0 ? ~0u : u32(used), taken = tickets.own * grid_size();
  if (tickets.done == 0) shared.epoch = claim.epoch;
  if (tickets.done < tickets.own) settle_claim(workspace, claim, shared.epoch, 1, taken, scrubbed);
  // A block that finds no more tiles takes the rest of its tickets at once.
  const u32 left = tickets.own - (tickets.done + 1);
  if (tickets.done < tickets.own && claim.number >= tickets.all && left > 0) {
    settle_claim(workspace, claim_of(take_tickets(workspace, left)), shared.epoch, left, taken, scrubbed);
  }
  shared.number = claim.number;
  if (claim.number < tickets.all) shared.tile = tile_of<vectors>(shared.tiles, arguments, claim.number);
}

// Claims tiles until there are no more. A tile depends only on tiles of smaller numbers, which blocks that run already
// have, and each block takes its tiles in their order.
template <bool vectors, bool whole_rows>
__device__ __forceinline__ void scan_tiles(const Arguments& arguments, const Scalars& scalars, SharedStorage& shared) {
  constexpr int count = ColumnItems<Input, vectors>::count;
  Tickets tickets{0, 0, 0, 0};
  if (thread_index() == 0) {
    tickets.next = take_ticket(arguments.workspace, 0);
    shared.tiles = tiles_of<vectors, whole_rows>(arguments);
  }
  block_barrier();
  const int columns = shared.tiles.width * count;
  const Place place = place_of<count, whole_rows>(arguments, shared.tiles.width);
  tickets.all = arguments.length > 0 ? u32(shared.tiles.panels) * shared.tiles.along : 0;
  tickets.own = tickets_per_block(tickets.all);
  for (;; ++tickets.done) {
    if (thread_index() == 0) claim_tile<vectors>(arguments, tickets, shared);
    block_barrier();  // also until all have read what this tile's items take the place of
    if (shared.number >= tickets.all) return;
    fill_stage<vectors, whole_rows>(arguments, shared);
    await_vectors();
    block_barrier();
    fold_share<vectors, whole_rows>(arguments, place, shared);
    block_barrier();
    scan_folds(arguments, scalars, columns, shared);
    block_barrier();
    if (shared.tile.number > 0) {
      find_prefixes(arguments, columns, shared);
      block_barrier();
    }
    // Asked for a little before the answer is needed: a tile that is claimed early keeps those behind it waiting.
    if (thread_index() == 0) {
      const bool asks = tickets.done + 1 < tickets.own;
      tickets.next = asks ? take_ticket(arguments.workspace, tickets.done + 1) : tickets.all;
    }
    scan_share<vectors, whole_rows>(arguments, scalars, place, shared);
    block_barrier();
    if (results_wait<whole_rows>) {
      const u64 first = shared.tile.first_item;
      empty_contiguous(arguments.out + first,
                       contiguous_items(arguments.in + first, shared.tile.rows * shared.tile.columns), shared.stage);
      block_barrier();
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
  const bool by_vectors = fills_vectors(arguments.in, arguments.inner) && fills_vectors(arguments.out, arguments.inner);
  if (contiguous_columns > 0 && has_whole_rows(arguments)) {
    if (by_vectors) {
      scan_tiles<true, true>(arguments, scalars, shared);
    } else {
      scan_tiles<false, true>(arguments, scalars, shared);
    }
  } else if (by_vectors) {
    scan_tiles<true, false>(arguments, scalars, shared);
  } else {
    scan_tiles<false, false>(arguments, scalars, shared);
  }
}
