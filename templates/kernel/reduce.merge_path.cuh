// Folds of segments: the items and the ends of segments are merged in their order, where an end comes before the item
// with the index of its offset, and each block takes an equal share of both. So neither long segments nor many empty
// ones make a block late. A segment that began in an earlier share is completed by the block whose share it ends in,
// from the totals of earlier shares in their order, so the association does not depend on timing.
#pragma once

#include "algorithm/hooks.reduce_segments.cuh"
#include "algorithm/limits.segments.cuh"
#include "block/scan.warp_scans.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "grid/segment_lookback.cuh"
#include "parameters.cuh"
#include "operator/combine.flagged.cuh"
#include "thread/offset_range.cuh"
#include "tile/downsweep.segment_ends.cuh"
#include "tile/inputs.segments.cuh"

struct SharedStorage {
  InputsStorage items;
  StoreStorage store;
  BlockScanStorage scan;
  u64 first_end, last_end;  // of the share: ends [first_end, last_end)
  Claim claim;              // the block's ticket: the number of its share
  bool is_unknown;          // what comes before the share
};

// A block's open segment, if it has one: see grid/segment_lookback.cuh.
struct Open {
  u64 ended = 0;  // offset at which it ends
  bool has_first = false;
  Value first;
};

// A block's share of the items and of the ends of segments of a call.
struct Share {
  OffsetRange ends;  // offsets at which segments of the share end
  u64 begin, end;    // items
  u64 last_item;     // behind the last one of the call; offsets above are taken for it
};

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

__device__ __forceinline__ u64 least_of(u64 a, u64 b) { return a < b ? a : b; }

// The item at which a segment ends; of a wrong offset, the nearest that is possible.
__device__ __forceinline__ u64 end_at(const Offsets& offsets, u64 i, u64 begin, u64 end) {
  const u64 offset = offset_at(offsets, i);
  return offset < begin ? begin : least_of(offset, end);
}

// Share `number`: the elements [number * size, (number + 1) * size) of the merged sequence. End e of it, whose offset
// is number e + 1, has the place e + (its item - the first item).
__device__ __forceinline__ Share share_of(const Arguments& arguments, u64 begin, u64 items, u64 size, u32 number,
                                          SharedStorage& shared) {
  constexpr int last_warp = threads_per_block / warp_size - 1;
  const Offsets offsets = offsets_of(arguments);
  const u64 all_ends = count_offsets(arguments) - 1, elements = items + all_ends, end = begin + items;
  const u64 from = least_of(number * size, elements), to = least_of(from + size, elements);
  const auto ends_before = [&](u64 place) {
    return find_place(0, all_ends, [&](u64 e) { return e + (end_at(offsets, e + 1, begin, end) - begin) < place; });
  };
  if (warp_index() == 0) {
    const u64 ends = ends_before(from);
    if (lane_index() == 0) shared.first_end = ends;
  }
  if (warp_index() == last_warp) {
    const u64 ends = ends_before(to);
    if (lane_index() == 0) shared.last_end = ends;
  }
  block_barrier();
  const u64 first_end = least_of(shared.first_end, from), last_end = least_of(shared.last_end, to);
  return {{offsets, first_end + 1, last_end + 1},
          least_of(begin + (from - first_end), end),
          least_of(begin + (to - last_end), end),
          end};
}

// Items of a tile that begins with an item: fewer than a whole tile where the next one is to begin at a multiple of 128
// bytes.
__device__ __forceinline__ int room_of_tile(const Input* from) {
  if (128 % sizeof(Input) != 0) return tile_items;
  return tile_items - int(reinterpret_cast<u64>(from) % 128 / sizeof(Input)) % tile_items;
}

// Writes the results of the segments whose ends are [begin, end): they end at items of the tile that begins with item
// `first` and has `valid` of them, or behind the share's last one if it has none. What their items fold to is in
// `ended`, or is the prefix.
__device__ __forceinline__ void finish_ends(const Arguments& arguments, const Share& share, u64 begin, u64 end,
                                            u64 first, int valid, bool has_prefix, Value prefix, const Scalars& scalars,
                                            const Value* ended, Open& open) {
  const auto finish = [&](u64 i, u64 offset, u64 before) {
    if (!ends_segment(i)) return;
    const u64 place = offset - first;
    const bool is_inside = place < u64(valid) && (place > 0 || has_prefix);
    const bool has_items = offset != before && (is_inside || (valid == 0 && has_prefix));
    Value total;
    if (has_items) total = is_inside ? ended[place] : prefix;
    if (i == share.ends.begin && before < share.begin && offset != before) {
      open.ended = i;
      open.has_first = has_items;
      if (has_items) open.first = total;
    } else {
      finish_segment(arguments.out + segment_of_end(i), has_items, total, scalars);
    }
  };
  const auto end_of = [&](u64 i) { return least_of(offset_at(share.ends, i), share.last_item); };
  // Many ends are those of empty segments: several loads are under way at a time.
  constexpr int each = 4;
  u64 i = begin + u64(thread_index());
  for (; i + (each - 1) * threads_per_block < end; i += each * threads_per_block) {
    u64 offset[each], before[each];
#pragma unroll
    for (int k = 0; k < each; ++k) {
      offset[k] = end_of(i + u64(k * threads_per_block));
      before[k] = end_of(i + u64(k * threads_per_block) - 1);
    }
#pragma unroll
    for (int k = 0; k < each; ++k) finish(i + u64(k * threads_per_block), offset[k], before[k]);
  }
  for (; i < end; i += threads_per_block) finish(i, end_of(i), end_of(i - 1));
}

// Folds a tile of the share, from item `first` on. Returns the tile's total to all threads. `next`: the first end that
// is left; afterwards, that behind the tile.
template <bool whole>
__device__ __forceinline__ Accumulator fold_tile(const Arguments& arguments, const Share& share, u64 first, int valid,
                                                 bool has_prefix, const Accumulator& prefix, const Scalars& scalars,
                                                 u64& next, Open& open, SharedStorage& shared) {
  // With the end before the share: a segment may begin with its first item.
  const OffsetRange range{share.ends.offsets, next == share.ends.begin ? next - 1 : next, share.ends.end};
  const TileInputs from{arguments.in + first, range, first, arguments.n, false};
  TileItems tile;
  load_items<whole>(from, valid, tile, shared.items);
  const Accumulator folded = fold_and_leave<whole>(valid, tile, shared.store);
  Accumulator exclusive;
  const Accumulator total = block_scan<whole>(folded, active_threads(valid), exclusive, shared.scan);
  complete_first(tile, exclusive, has_prefix, prefix, shared.store);
  block_barrier();
  const u64 end = tile.begins.end > next ? tile.begins.end : next;
  finish_ends(arguments, share, next, end, first, valid, has_prefix, prefix.value, scalars, shared.store.ended, open);
  next = end;
  // The next tile meets twice before anything takes the place of what other threads still read.
  return total;
}

// Folds the block's share. Thread 0 knows of its open segment. Returns the total to all threads.
__device__ __forceinline__ Accumulator fold_share(const Arguments& arguments, const Share& share,
                                                  const Scalars& scalars, Open& open, SharedStorage& shared) {
  Accumulator prefix{scalars.initial, 1};  // of a share of ends alone: nothing that follows is combined with it
  bool has_prefix = false;
  u64 next = share.ends.begin;
  for (u64 first = share.begin; first < share.end;) {
    const u64 left = share.end - first;
    const int room = room_of_tile(arguments.in + first), valid = left < u64(room) ? int(left) : room;
    const Accumulator total =
        valid == tile_items
            ? fold_tile<true>(arguments, share, first, valid, has_prefix, prefix, scalars, next, open, shared)
            : fold_tile<false>(arguments, share, first, valid, has_prefix, prefix, scalars, next, open, shared);
    prefix = has_prefix ? combine(prefix, total) : total;
    has_prefix = true;
    first += u64(valid);
  }
  finish_ends(arguments, share, next, share.ends.end, share.end, 0, has_prefix, prefix.value, scalars,
              shared.store.ended, open);
  return prefix;
}

// Publishes the total of the block's share, and completes its open segment.
__device__ __forceinline__ void complete_open(const Arguments& arguments, const Claim& claim, u32 blocks,
                                              const Accumulator& total, const Open& open, const Scalars& scalars,
                                              SharedStorage& shared) {
  Workspace* const workspace = arguments.workspace;
  const bool has_open = thread_index() == 0 && claim.number > 0 && open.ended != 0;
  if (thread_index() == 0) {
    publish_total(workspace, claim.epoch, claim.number, total);
    BeforeShare before;
    before.is_known = true;
    if (has_open) before = look_back(workspace, claim.epoch, claim.number, near_shares);
    if (has_open && before.is_known)
      finish_open(arguments, open.ended, open.has_first, open.first, before.value, scalars);
    shared.is_unknown = !before.is_known;
    settle_claim(workspace, claim, claim.epoch, 1, blocks, 2 * blocks);
  }
  block_barrier();
  if (!shared.is_unknown) return;
  const Accumulator before = look_back_far(workspace, claim.epoch, claim.number, shared.scan);
  if (has_open) finish_open(arguments, open.ended, open.has_first, open.first, before, scalars);
}

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  await_previous_kernel();
  SharedStorage& shared = block_storage<SharedStorage>();
  const Scalars scalars = read_scalars(passed);
  const u64 begin = first_item(offsets_of(arguments), arguments.n), items = items_of(arguments);
  const u64 elements = items + count_offsets(arguments) - 1, even = (elements + grid_size() - 1) / grid_size();
  const u64 size = even > tile_items ? even : tile_items;
  const u32 blocks = u32((elements + size - 1) / size);
  if (block_index() >= blocks) return;
  if (thread_index() == 0) {
    shared.claim = blocks > 1 ? claim_of(take_tickets(arguments.workspace, 1)) : Claim{0, 0};
    if (shared.claim.number >= blocks) abort_kernel();  // another launch uses the workspace at the same time
  }
  block_barrier();
  const Claim claim = shared.claim;
  const Share share = share_of(arguments, begin, items, size, claim.number, shared);
  Open open;
  const Accumulator total = fold_share(arguments, share, scalars, open, shared);
  if (blocks > 1) complete_open(arguments, claim, blocks, total, open, scalars, shared);
}
