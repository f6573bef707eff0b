// Folds of very long segments by several blocks: each folds pieces, and the block that finishes a segment's last piece
// folds the partial results. A block that folds such a segment alone does so by the same pieces in the same
// association.
#pragma once

#include "algorithm/hooks.reduce_segments.cuh"
#include "block/segment_folds.cuh"
#include "block/values.cuh"
#include "grid/long_segment_queue.cuh"
#include "parameters.cuh"
#include "thread/segment_extent.cuh"
#include "thread/share.cuh"

// A segment that is longer is very long: it is folded in pieces.
constexpr u64 most_items_alone = threads_per_segment > warp_size || most_items_of_group < u64(piece_items)
                                     ? u64(piece_items)
                                     : most_items_of_group;

// So many segments of a block can be announced: the first ones.
constexpr u64 most_announced = 32 * u64(threads_per_block);

struct QueueStorage {
  u32 announced[threads_per_block];  // bit i % 32 of word i / 32: whether the block has announced its segment number i
  u32 has_announced;                 // whether it has announced any
  u32 parity;                        // of the launch's epoch
  u32 entries;                       // of the queue
  u32 open[2];                       // by turns: bit i is set if entry i of 32 has pieces to claim
  u32 claimed[2];                    // by turns: piece
  u32 is_last;                       // whether the piece is the last one of its segment to be finished
};

// ---- a segment in pieces

// The thread's share of a piece.
__device__ __forceinline__ Value fold_share_of_piece(const Input* segment, u64 length, u64 size, u32 piece,
                                                     int& active) {
  const u64 first = piece * size, left = length - first;
  const Share<u64> share = share_of<false>(left < size ? left : size, thread_index(), threads_per_block);
  active = share.active;
  return fold_share(segment + first, share);
}

// Appends the fold of up to 32 neighbouring pieces, of which each lane has one. Lane 0 gets the result.
__device__ __forceinline__ void append_pieces(Value of_lane, u32 first, u32 pieces, Value& total) {
  const u32 left = pieces - first;
  const Value folded = fold_lanes<warp_size>(of_lane, left < warp_size ? int(left) : warp_size);
  if (lane_index() == 0) total = first > 0 ? Value(combine(total, folded)) : folded;
}

// Folds a very long segment by this block alone.
__device__ __forceinline__ void fold_alone(const Arguments& arguments, u64 segment, const Extent& extent,
                                           const Scalars& scalars, BlockValues& values) {
  const u64 length = extent.end - extent.begin;
  const u32 pieces = count_pieces(length);
  const u64 size = size_of_piece(length, pieces);
  Value of_lane, total;
  for (u32 piece = 0; piece < pieces; ++piece) {
    int active;
    const Value share = fold_share_of_piece(arguments.in + extent.begin, length, size, piece, active);
    const Value folded = fold_values(share, active, values);
    if (warp_index() > 0) continue;
    const Value of_piece = shuffle(folded, 0);
    const u32 lane = piece % warp_size;
    if (u32(lane_index()) == lane) of_lane = of_piece;
    if (lane + 1 == warp_size || piece + 1 == pieces) append_pieces(of_lane, piece - lane, pieces, total);
  }
  if (thread_index() == 0) finish_segment(arguments.out + segment, true, total, scalars);
}

// Folds the partial results of a segment, by the first warp. Lane 0 gets the result.
__device__ __forceinline__ Value fold_partials(const Partial* place, u32 pieces) {
  constexpr int loads = 4;
  Value total;
  for (u32 first = 0; first < pieces; first += loads * warp_size) {
    Value of_lane[loads];
#pragma unroll
    for (int k = 0; k < loads; ++k) {
      const u32 piece = first + u32(k * warp_size + lane_index());
      if (piece < pieces) of_lane[k] = load_partial(place + piece).value;
    }
#pragma unroll
    for (int k = 0; k < loads; ++k) {
      const u32 at = first + u32(k * warp_size);
      if (at < pieces) append_pieces(of_lane[k], at, pieces, total);
    }
  }
  return total;
}

// ---- owners look at their segments

// Segment number `number` of the owner's: its groups take neighbouring segments, batch after batch.
__device__ __forceinline__ u64 segment_of_owner(u64 number, u32 owners) {
  return (block_index() + number / groups_per_block * owners) * groups_per_block + number % groups_per_block;
}

__device__ __forceinline__ void announce_if_very_long(QueueState& state, u64 segment, u64 number, const Extent& extent,
                                                      QueueStorage& storage) {
  const u64 length = extent.end - extent.begin;
  if (length <= most_items_alone || !announce_segment(state, segment, extent.begin, length)) return;
  or_shared(&storage.announced[number / 32], 1u << number % 32);
  or_shared(&storage.has_announced, 1u);
}

__device__ __forceinline__ bool is_announced(u64 number, const QueueStorage& storage) {
  return number < most_announced && (storage.announced[number / 32] >> number % 32 & 1) != 0;
}

// Announces what is very long of the block's segments, of which `first` is that of the thread's group. Then all threads
// know what is announced.
__device__ __forceinline__ void look_at_segments(const Arguments& arguments, QueueState& state, u32 owners,
                                                 const Extent& first, QueueStorage& storage) {
  const u64 group = u64(thread_index() / threads_per_segment);
  if (thread_index() % threads_per_segment == 0) {
    announce_if_very_long(state, segment_of_owner(group, owners), group, first, storage);
  }
  constexpr int loads = 2;
  u64 number = u64(groups_per_block + thread_index());
  for (; number < most_announced && segment_of_owner(number, owners) < arguments.segments;
       number += loads * threads_per_block) {
    Extent extent[loads];
#pragma unroll
    for (int k = 0; k < loads; ++k) {
      const u64 at = number + u64(k * threads_per_block);
      extent[k] = at < most_announced ? extent_if_any(arguments, segment_of_owner(at, owners)) : Extent{0, 0};
    }
#pragma unroll
    for (int k = 0; k < loads; ++k) {
      const u64 at = number + u64(k * threads_per_block);
      announce_if_very_long(state, segment_of_owner(at, owners), at, extent[k], storage);
    }
  }
  block_barrier();
  if (thread_index() == 0) count_looked(state, storage.has_announced != 0);
}

// ---- blocks fold what is announced

// Leaves the partial result of a piece, which the first thread has. Behind the last piece of the segment, completes the
// segment.
__device__ __forceinline__ void complete_piece(const Arguments& arguments, QueueEntry& entry, Partial* place, u32 piece,
                                               u32 pieces, Value total, const Scalars& scalars, QueueStorage& storage) {
  if (thread_index() == 0) {
    store_partial(place + piece, {total, 0});
    const u32 finished = add_acquire_release(&entry.finished, 1);
    if (finished >= pieces) abort_kernel();  // another launch counts at the same time in the same workspace
    storage.is_last = finished == pieces - 1;
  }
  block_barrier();
  if (!storage.is_last || warp_index() > 0) return;
  const Value of_segment = fold_partials(place, pieces);
  if (lane_index() == 0) {
    finish_segment(arguments.out + load_relaxed(&entry.segment), true, of_segment, scalars);
  }
}

// Claims pieces of an entry and folds them until all are claimed. The next piece is claimed while the block folds one.
__device__ __forceinline__ void fold_entry(const Arguments& arguments, QueueEntry& entry, const Scalars& scalars,
                                           u32& turn, BlockValues& values, QueueStorage& storage) {
  turn ^= 1;
  if (thread_index() == 0) storage.claimed[turn] = add_relaxed(&entry.claimed, 1u);
  const u64 begin = load_relaxed(&entry.begin), length = load_relaxed(&entry.length);
  const u32 pieces = load_relaxed(&entry.pieces);
  Partial* const place = queue_of(arguments.workspace)->place + load_relaxed(&entry.first_place);
  const u64 size = size_of_piece(length, pieces);
  block_barrier();
  for (;; turn ^= 1) {
    const u32 piece = storage.claimed[turn];
    if (piece >= pieces) return;
    u32 next = 0;
    if (thread_index() == 0) next = add_relaxed(&entry.claimed, 1u);
    int active;
    const Value share = fold_share_of_piece(arguments.in + begin, length, size, piece, active);
    if (thread_index() == 0) storage.claimed[turn ^ 1] = next;
    const Value total = fold_values(share, active, values);
    complete_piece(arguments, entry, place, piece, pieces, total, scalars, storage);
  }
}

// Folds what is announced, until all pieces of the entries that thread 0 has counted are claimed. Block `part` of
// `parts` begins with an entry of its own.
__device__ __forceinline__ void fold_entries(const Arguments& arguments, QueueState& state, u32 part, u32 parts,
                                             const Scalars& scalars, BlockValues& values, QueueStorage& storage) {
  block_barrier();
  const u32 entries = storage.entries, start = u32(divided(u64(part) * entries, parts));
  const auto entry_at = [&](u32 i) -> QueueEntry& {
    const u32 at = start + i;
    return state.entry[at < entries ? at : at - entries];
  };
  u32 turn = 0, claim_turn = 0;
  for (u32 first = 0; first < entries; first += warp_size, turn ^= 1) {
    if (warp_index() == 0) {
      const u32 i = first + u32(lane_index());
      const u32 open = warp_ballot(i < entries && is_open(entry_at(i)));
      if (lane_index() == 0) storage.open[turn] = open;
    }
    block_barrier();
    for (u32 left = storage.open[turn]; left != 0; left &= left - 1) {
      fold_entry(arguments, entry_at(first + u32(lowest_bit(left))), scalars, claim_turn, values, storage);
    }
  }
}
