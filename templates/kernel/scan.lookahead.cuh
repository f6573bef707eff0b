// Single-pass scan by blocks that stay and warps that each do one thing:
//   loader      claims tiles and brings them into a ring of stages, as far ahead as stages are free
//   workers     first only fold a tile, `reduce_ahead` tiles ahead; then scan it out of its stage, by when what stands
//               before it is known, and store it
//   publisher   folds the workers' totals of a tile and publishes the tile's own
//   look-ahead  folds the totals of all tiles since this block's last one onto a running prefix
// Tiles publish totals only, never prefixes: no tile waits for another one's exchange.
#pragma once

#include "algorithm/start.initial.cuh"
#include "block/cursor.cuh"
#include "block/phase.suspend.cuh"
#include "block/start.plain.cuh"
#include "block/storage.dynamic.cuh"
#include "parameters.cuh"
#include "thread/fold.items.cuh"
#include "thread/operator.plus.cuh"
#include "thread/results.cuh"
#include "thread/sweep.items.cuh"
#include "tile/claim.ticket.cuh"
#include "tile/emission.cuh"
#include "tile/emit.bulk.cuh"
#include "tile/fill.bulk.cuh"
#include "tile/prefetch.none.cuh"
#include "tile/prefix.lookahead.cuh"
#include "tile/results.in_place.cuh"
#include "tile/span.cuh"
#include "tile/workspace.cuh"
#include "warp/scan.kogge_stone.cuh"

// Tiles whose totals are known and which are not yet scanned, and the one that is: so many are exchanged at once.
constexpr int slots = reduce_ahead + 1;

struct alignas(128) Stage {
  Input item[tile_items];
};

struct SharedStorage {
  Stage stage[stages];
  ResultStorage results;
  PhaseBarrier full[stages];         // the stage's tile is claimed and its items are there
  PhaseBarrier empty[stages];        // the workers are done with the stage
  PhaseBarrier folded[slots];        // warp_total holds each warp's total
  PhaseBarrier published[slots];     // warp_total holds what stands before each warp within the tile
  PhaseBarrier looked_ahead[slots];  // warp_carry holds what stands before each warp
  Accumulator warp_total[slots][worker_warps];
  Accumulator warp_carry[slots][worker_warps];
  u32 claimed[stages];  // tile
  u32 epoch;
};

__device__ __forceinline__ void init_barriers(SharedStorage& shared) {
  for (int s = 0; s < stages; ++s) {
    init_barrier(&shared.full[s], fill_arrivals);
    init_barrier(&shared.empty[s], worker_warps);
  }
  for (int s = 0; s < slots; ++s) {
    init_barrier(&shared.folded[s], worker_warps);
    init_barrier(&shared.published[s], warp_size);
    init_barrier(&shared.looked_ahead[s], warp_size);
  }
  prepare_fill();
}

__device__ __forceinline__ int active_warps(const Extent& extent) {
  return (active_threads(extent) + warp_size - 1) / warp_size;
}

// The tile in a stage, read by lane 0: the one that gives the stage back.
__device__ __forceinline__ u32 tile_in(const SharedStorage& shared, int stage) {
  return shuffle(lane_index() == 0 ? shared.claimed[stage] : 0, 0);
}

// ---- loader

__device__ __forceinline__ void load_tiles(const Span& span, Workspace* workspace, SharedStorage& shared) {
  const u32 own_draws = draws_per_block(span.tiles), draws = own_draws * grid_size();
  Cursor<stages> stage;
  u32 epoch = 0;
  u64 drawn = 0;
  if (lane_index() == 0) drawn = draw_tile(workspace, 0);
  for (u32 done = 0;; ++done, stage.advance()) {
    if (done >= stages) await_phase(shared.empty[stage.at], stage.parity ^ 1);
    const Claim claim = claim_of(shuffle(drawn, 0));
    u32 tile = drawn_tile(claim, done);
    if (lane_index() == 0) {
      if (done == 0) shared.epoch = epoch = claim.epoch;
      if (done < own_draws) settle_claim(workspace, claim, epoch, 1, draws, span.tiles);
      // What is not claimed is drawn for nothing, at once.
      const u32 left = own_draws - (done + 1);
      if (done < own_draws && tile >= span.tiles && left > 0) {
        settle_claim(workspace, claim_of(draw(workspace, left)), epoch, left, draws, span.tiles);
      }
      shared.claimed[stage.at] = tile;
    }
    if (tile >= span.tiles) {
      leave_stage_empty(shared.full[stage.at]);
      return;
    }
    fill_stage(shared.stage[stage.at].item, span, tile, shared.full[stage.at]);
    // Asked for long before the answer is needed.
    drawn = u64(epochs) << 32 | span.tiles;
    if (lane_index() == 0 && done + 1 < own_draws) drawn = draw_tile(workspace, done + 1);
  }
}

// ---- publisher

__device__ __forceinline__ void publish_totals(const Span& span, Workspace* workspace, SharedStorage& shared) {
  const int lane = lane_index();
  Cursor<slots> slot;
  for (Cursor<stages> stage;; stage.advance(), slot.advance()) {
    await_phase(shared.full[stage.at], stage.parity);
    const u32 tile = tile_in(shared, stage.at);
    if (tile >= span.tiles) return;
    const int warps = active_warps(extent_of(span, tile));
    await_phase(shared.folded[slot.at], slot.parity);
    Accumulator total;
    if (lane < warps) total = shared.warp_total[slot.at][lane];
    const Accumulator inclusive = warp_scan<false>(total, warps);
    const Accumulator before = shuffle_up(inclusive, 1);
    if (lane == warps - 1) publish(descriptors(workspace) + tile, shared.epoch, aggregate, inclusive);
    if (lane > 0 && lane < warps) shared.warp_total[slot.at][lane] = before;
    arrive(&shared.published[slot.at]);
  }
}

// ---- look-ahead

__device__ __forceinline__ void carry_prefixes(const Span& span, Workspace* workspace, Accumulator initial,
                                               SharedStorage& shared) {
  const int lane = lane_index();
  Accumulator running = initial;
  u32 folded = 0;  // tiles in `running`
  Cursor<slots> slot;
  for (Cursor<stages> stage;; stage.advance(), slot.advance()) {
    await_phase(shared.full[stage.at], stage.parity);
    const u32 tile = tile_in(shared, stage.at);
    if (tile >= span.tiles) return;
    const int warps = active_warps(extent_of(span, tile));
    look_ahead(workspace, shared.epoch, folded, tile, has_initial || folded > 0, running);
    folded = tile;
    await_phase(shared.published[slot.at], slot.parity);
    if (lane < warps) {
      const bool has_running = has_initial || tile > 0;
      const Accumulator before = lane == 0 ? running : shared.warp_total[slot.at][lane];
      shared.warp_carry[slot.at][lane] = lane > 0 && has_running ? combine(running, before) : before;
    }
    arrive(&shared.looked_ahead[slot.at]);
  }
}

// ---- workers

// This thread's part of a tile.
struct Share {
  int begin;  // of thread_items
  int end;
  int threads;  // of the block that have any item
};

__device__ __forceinline__ Share share_of(const Extent& extent) {
  const int first = thread_index() * thread_items, left = extent.end - first;
  return {extent.begin > first ? extent.begin - first : 0, left < thread_items ? left : thread_items,
          active_threads(extent)};
}

// Folds a tile's items. `before` becomes the fold of the lower lanes' items (untouched in lane 0). False: the tile is
// beyond the last one.
__device__ __forceinline__ bool fold_tile(const Span& span, Cursor<stages>& stage, Cursor<slots>& slot,
                                          Accumulator& before, SharedStorage& shared) {
  await_phase(shared.full[stage.at], stage.parity);
  const u32 tile = tile_in(shared, stage.at);
  if (tile >= span.tiles) return false;
  const Extent extent = extent_of(span, tile);
  const Input* const items = shared.stage[stage.at].item + thread_index() * thread_items;
  const int lane = lane_index(), warp = warp_index();
  Accumulator inclusive;
  int last = warp_size - 1;
  if (extent.begin == 0 && extent.end == tile_items) {
    inclusive = warp_scan<true>(fold_items<true>(items, 0, thread_items), warp_size);
  } else {
    const Share share = share_of(extent);
    const int active = share.threads - warp * warp_size;
    Accumulator own;
    if (lane < active) own = fold_items<false>(items, share.begin, share.end);
    inclusive = warp_scan<false>(own, active);
    if (active < warp_size) last = active > 0 ? active - 1 : 0;
  }
  before = shuffle_up(inclusive, 1);
  if (lane == last) {
    shared.warp_total[slot.at][warp] = inclusive;  // of no meaning where no lane has an item, and not read then
    arrive(&shared.folded[slot.at]);
  }
  stage.advance();
  slot.advance();
  return true;
}

// Scans a tile's items, all of which are there, into results that lie `words` words and some bits before theirs.
template <int words>
__device__ __forceinline__ void sweep_shifted(const Span& span, const Input* items, Output* warp_results,
                                              Accumulator carry) {
  if (sizeof(Output) > 4 && words * 4 % sizeof(Output) != 0) return;  // nothing lies so
  ShiftedResults<words> shifting = shifted_results<words>(warp_results, span);
  sweep_items<true>(items, shifting, 0, thread_items, true, carry);
  shifting.finish();
}

// Scans a tile that was folded, into its results.
__device__ __forceinline__ void scan_tile(const Span& span, u32 tile, const Input* items, Output* results,
                                          Accumulator before, Accumulator warp_carry) {
  const Extent extent = extent_of(span, tile);
  const int first = thread_index() * thread_items, lane = lane_index(), warp_first = warp_index() * warp_items;
  const bool has_prefix = has_initial || tile > 0, warp_has_carry = has_prefix || warp_index() > 0;
  const bool whole = has_prefix && extent.begin == 0 && extent.end == tile_items;
  Output* const to = span.out + u64(tile) * tile_items + warp_first;
  Accumulator carry = warp_carry;
  if (whole && lane > 0) carry = combine(warp_carry, before);
  if (results_can_shift && whole && span.skew > 0) {
    switch ((16 - span.skew) / 4) {
      case 0:
        sweep_shifted<0>(span, items + first, results + warp_first, carry);
        break;
      case 1:
        sweep_shifted<1>(span, items + first, results + warp_first, carry);
        break;
      case 2:
        sweep_shifted<2>(span, items + first, results + warp_first, carry);
        break;
      default:
        sweep_shifted<3>(span, items + first, results + warp_first, carry);
    }
    emit_shifted(to, results + warp_first, span);
    return;
  }
  StraightResults straight{results + first};
  if (whole) {
    sweep_items<true>(items + first, straight, 0, thread_items, true, carry);
  } else {
    const Share share = share_of(extent);
    if (thread_index() < share.threads) {
      if (lane > 0) carry = warp_has_carry ? combine(warp_carry, before) : before;
      sweep_items<false>(items + first, straight, share.begin, share.end, warp_has_carry || lane > 0, carry);
    }
  }
  const int begin = extent.begin - warp_first, end = extent.end - warp_first;
  emit_places(to, results + warp_first, begin > 0 ? begin : 0, end < warp_items ? end : warp_items);
}

__device__ __forceinline__ void scan_tiles(const Span& span, SharedStorage& shared) {
  constexpr bool release_later = emission_lingers && results_in_stage;
  Cursor<stages> stage_ahead, stage;
  Cursor<slots> slot_ahead, slot;
  Accumulator before[slots];
  u32 ahead = 0;  // tiles folded
  bool more = true;
#pragma unroll
  for (int k = 0; k < reduce_ahead; ++k) {
    if (more) more = fold_tile(span, stage_ahead, slot_ahead, before[k], shared);
    ahead += more;
  }
  PhaseBarrier* lingering = nullptr;
  for (u32 done = 0;; ++done) {
    if (more) more = fold_tile(span, stage_ahead, slot_ahead, before[reduce_ahead], shared);
    ahead += more;
    if (done == ahead) break;

    settle_emission();
    if (lingering != nullptr && lane_index() == 0) arrive(lingering);
    await_phase(shared.looked_ahead[slot.at], slot.parity);
    Input* const items = shared.stage[stage.at].item;
    scan_tile(span, tile_in(shared, stage.at), items, results_of(items, shared.results), before[0],
              shared.warp_carry[slot.at][warp_index()]);
    PhaseBarrier* const own = &shared.empty[stage.at];
    if (release_later) {
      lingering = own;
    } else if (lane_index() == 0) {
      arrive(own);
    }
    stage.advance();
    slot.advance();
#pragma unroll
    for (int k = 0; k < reduce_ahead; ++k) before[k] = before[k + 1];
  }
  settle_emission();
}

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const Input* const in = arguments.in;
  Output* const out = arguments.out;
  const u64 n = arguments.n;
  const PassedScalars passed = passed_scalars(arguments);
  Workspace* const workspace = arguments.workspace;
  SharedStorage& shared = block_storage<SharedStorage>();
  announce_start();
  if (thread_index() == 0) {
    init_barriers(shared);
    prefetch_tile<tile_items>(in, n, block_index());  // some block's first
  }
  block_barrier();
  await_previous_kernel();

  const Span span = span_of(in, out, n);
  const int role = warp_index() - worker_warps;
  if (role < 0) {
    scan_tiles(span, shared);
  } else if (role == 0) {
    load_tiles(span, workspace, shared);
  } else if (role == 1) {
    publish_totals(span, workspace, shared);
  } else {
    carry_prefixes(span, workspace, initial_of(read_scalars(passed)), shared);
  }
}
