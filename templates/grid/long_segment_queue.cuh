// A queue of very long segments, which several blocks fold piece by piece. An owner is a block that has segments of its
// own. It announces those that are very long, as far as it looks at them, and counts itself when it announces no more.
// Any block may then claim pieces of what is announced. Nobody waits for a block that has claimed a piece: whoever
// finishes the last piece of a segment completes the segment.
//   What a block reads of an entry is ordered behind its writing by the entry's `is_ready`, which is released and
// acquired. Partial results are ordered by `finished`. The number of entries is ordered by `looked`, for blocks that
// wait for all owners.
#pragma once

#include "grid/entry.cuh"
#include "grid/partial.words_64.cuh"
#include "parameters.cuh"
#include "thread/divided.cuh"

struct QueueEntry {
  u64 segment;
  u64 begin, length;  // its items
  u32 pieces;
  u32 first_place;  // of the partial results of its pieces, which lie one behind the other
  u32 claimed;      // pieces
  u32 finished;     // pieces whose partial result is there
  u32 is_ready;     // 1 once the members above are there
};

// What is announced in a launch. Launches use two of them by turns. Each launch clears the one that it does not use.
struct alignas(128) QueueState {
  u64 tail;                 // low half: entries that are taken; high half: places. Both may be more than there are
  alignas(128) u32 looked;  // owners that announce no more
  alignas(128) QueueEntry entry[queue_entries];
};

struct SegmentQueue {
  QueueState state[2];
  Partial place[queue_places];
};

static_assert(queue_bytes == 0 || sizeof(SegmentQueue) == queue_bytes, "the generator counted otherwise");

__device__ __forceinline__ SegmentQueue* queue_of(Workspace* workspace) {
  return reinterpret_cast<SegmentQueue*>(workspace + 1);
}

// ---- the pieces of a segment, which its length alone decides

// Equal pieces of up to piece_items items; of a segment that is too long for that, 256 longer ones.
__device__ __forceinline__ u32 count_pieces(u64 length) {
  constexpr u64 most_pieces = 256;
  const u64 wanted = (length + piece_items - 1) / piece_items, most = wanted < most_pieces ? wanted : most_pieces;
  const u64 size = divided(length + most - 1, most);
  return u32(divided(length + size - 1, size));
}

// Items of each of them but the last, which may have fewer.
__device__ __forceinline__ u64 size_of_piece(u64 length, u32 pieces) { return divided(length + pieces - 1, pieces); }

// ---- owners announce

__device__ __forceinline__ bool has_room(u64 tail, u32 pieces) {
  return u32(tail) < queue_entries && u32(tail >> 32) + pieces <= queue_places;
}

// Announces a segment, by one thread. Returns whether there was room for it.
__device__ __forceinline__ bool announce_segment(QueueState& state, u64 segment, u64 begin, u64 length) {
  const u32 pieces = count_pieces(length);
  // A full queue is left as it is, so that neither half of the tail comes round.
  if (!has_room(load_relaxed(&state.tail), pieces)) return false;
  const u64 tail = add_relaxed(&state.tail, (u64(pieces) << 32) + 1);
  if (!has_room(tail, pieces)) return false;
  QueueEntry& entry = state.entry[u32(tail)];
  store_relaxed(&entry.segment, segment);
  store_relaxed(&entry.begin, begin);
  store_relaxed(&entry.length, length);
  store_relaxed(&entry.pieces, pieces);
  store_relaxed(&entry.first_place, u32(tail >> 32));
  store_relaxed(&entry.claimed, 0u);
  store_relaxed(&entry.finished, 0u);
  store_release(&entry.is_ready, 1u);
  return true;
}

// Counts the block as an owner that announces no more, by one thread behind a barrier of the block. `has_announced`:
// only then is there anything that others must see.
__device__ __forceinline__ void count_looked(QueueState& state, bool has_announced) {
  if (has_announced) {
    count_release(&state.looked, 1);
  } else {
    count_relaxed(&state.looked, 1);
  }
}

// ---- blocks look for entries

// Waits until all owners have looked, for a few milliseconds at most. Returns whether they have. By one thread.
__device__ __forceinline__ bool await_owners(QueueState& state, u32 owners) {
  constexpr int most_polls = 4000;
  for (int polls = 0; polls < most_polls; ++polls) {
    const u32 looked = load_acquire(&state.looked);
    if (looked > owners) abort_kernel();  // another launch uses the workspace at the same time
    if (looked == owners) return true;
    wait_nanoseconds(100);
  }
  return false;
}

__device__ __forceinline__ u32 count_entries(QueueState& state) {
  const u32 taken = u32(load_relaxed(&state.tail));
  return taken < queue_entries ? taken : queue_entries;
}

// Whether an entry has pieces that nobody has claimed. Afterwards, the thread may read the entry.
__device__ __forceinline__ bool is_open(QueueEntry& entry) {
  return load_acquire(&entry.is_ready) != 0 && load_relaxed(&entry.claimed) < load_relaxed(&entry.pieces);
}

// ---- between launches

// Clears what the launch before has announced, by all threads of one block.
__device__ __forceinline__ void clear_state(QueueState& state) {
  const u32 entries = count_entries(state);
  for (u32 i = u32(thread_index()); i < entries; i += threads_per_block) store_relaxed(&state.entry[i].is_ready, 0u);
  block_barrier();  // until all have read the tail
  if (thread_index() > 0) return;
  store_relaxed(&state.tail, u64(0));
  store_relaxed(&state.looked, 0u);
}
