// Segments that several shares of the items have items of: each share leaves what it holds of them, and the last block
// to finish completes them, in the order of the shares. So the association does not depend on timing.
#pragma once

#include "algorithm/hooks.reduce_segments.cuh"
#include "block/scan.warp_scans.cuh"
#include "grid/partial.words_64.cuh"
#include "operator/combine.flagged.cuh"
#include "parameters.cuh"
#include "thread/offset_range.cuh"

// Global memory that outlives the launch. Zero before the first one; each launch leaves it ready for the next.
struct alignas(128) SharesHeader {
  u32 claimed;   // shares, by blocks that take several
  u32 finished;  // blocks whose slots are filled
};

// What each share leaves, in slots. A thread of the last block reads `each` neighbouring shares, the last one fewer.
// The first shares of all threads are in neighbouring slots, then their second ones, and so on.
struct ShareSlots {
  u32 shares, each;
  Partial* total;  // the fold of the items since the last segment began
  Partial* first;  // that of the items of the open segment: it began in an earlier share and ends in this one
  u64* ended;      // 0: no segment is open. It ends at offset number i: 2 * i + 1 if it has items here, otherwise 2 * i
};

__device__ __forceinline__ SharesHeader* header_of(Workspace* workspace) {
  return reinterpret_cast<SharesHeader*>(workspace);
}

__device__ __forceinline__ ShareSlots slots_of(Workspace* workspace, u32 shares) {
  const u32 each = (shares + threads_per_block - 1) / threads_per_block;
  Partial* const total = reinterpret_cast<Partial*>(header_of(workspace) + 1);
  return {shares, each, total, total + shares, reinterpret_cast<u64*>(total + 2 * u64(shares))};
}

// The slot of a thread's share number `k`.
__device__ __forceinline__ u32 slot_of(const ShareSlots& slots, u32 thread, u32 k) {
  const u32 longer = slots.shares % slots.each;  // the last thread has so many shares, if it has fewer than the others
  return slots.shares / slots.each * k + (k < longer ? k : longer) + thread;
}

__device__ __forceinline__ u32 slot_of(const ShareSlots& slots, u32 share) {
  return slot_of(slots, share / slots.each, share % slots.each);
}

// The open segment of a share: it ends at offset `ended`, if that is not 0.
struct Open {
  u64 ended = 0;
  bool has_first = false;
  Value first;
};

// In the slot of a share.
__device__ __forceinline__ void leave_open(const ShareSlots& slots, u32 slot, const Open& open) {
  if (open.has_first) store_partial(&slots.first[slot], {open.first, 0});
  store_relaxed(&slots.ended[slot], 2 * open.ended + u64(open.has_first));
}

__device__ __forceinline__ void leave_total(const ShareSlots& slots, u32 slot, const Accumulator& total) {
  store_partial(&slots.total[slot], total);
}

// By one thread of each of `blocks` blocks, once the slots of its shares are filled. The last one is told by true: it
// is to finish the open segments.
__device__ __forceinline__ bool finishes_last(Workspace* workspace, u32 blocks) {
  const u32 finished = add_acquire_release(&header_of(workspace)->finished, 1);
  if (finished >= blocks) abort_kernel();  // another launch counts at the same time in the same workspace
  return finished == blocks - 1;
}

// Slots that a thread loads at a time.
constexpr int slots_at_once = sizeof(Partial) <= 16 ? 4 : 1;

// The fold of the totals of a thread's shares, at least one.
__device__ __forceinline__ Accumulator fold_totals(const ShareSlots& slots, u32 thread, u32 count) {
  Accumulator folded;
#pragma unroll 1
  for (u32 first = 0; first < count; first += slots_at_once) {
    Accumulator loaded[slots_at_once];
#pragma unroll
    for (u32 k = 0; k < slots_at_once; ++k) {
      if (first + k < count) loaded[k] = load_partial(&slots.total[slot_of(slots, thread, first + k)]);
    }
#pragma unroll
    for (u32 k = 0; k < slots_at_once; ++k) {
      if (first + k < count) folded = first + k > 0 ? combine(folded, loaded[k]) : loaded[k];
    }
  }
  return folded;
}

// What a share leaves.
struct LeftShare {
  Accumulator total, first;
  u64 ended;
};

// The result of the open segment of a share, if there is one. `carry`: the fold of the totals of the shares before.
__device__ __forceinline__ void finish_open_of(const Arguments& arguments, const LeftShare& share,
                                               const Accumulator& carry, const Scalars& scalars) {
  const u64 ended = share.ended / 2;
  if (ended == 0) return;
  const bool has_first = share.ended % 2 != 0;
  finish_segment(arguments.out + segment_of_end(ended), true,
                 has_first ? combine(carry.value, share.first.value) : carry.value, scalars);
}

// The results of all open segments, by one block: each from the fold of what the shares before leave of it.
__device__ __forceinline__ void finish_open(const Arguments& arguments, const ShareSlots& slots, const Scalars& scalars,
                                            BlockScanStorage& storage) {
  const u32 thread = u32(thread_index()), begin = thread * slots.each;
  const u32 left = begin < slots.shares ? slots.shares - begin : 0, count = left < slots.each ? left : slots.each;
  Accumulator folded, carry;
  if (count > 0) folded = fold_totals(slots, thread, count);
  block_scan<false>(folded, int((slots.shares + slots.each - 1) / slots.each), carry, storage);
#pragma unroll 1
  for (u32 first = 0; first < count; first += slots_at_once) {
    LeftShare share[slots_at_once];
#pragma unroll
    for (u32 k = 0; k < slots_at_once; ++k) {
      const u32 slot = slot_of(slots, thread, first + k);
      if (first + k < count) {
        share[k] = {load_partial(&slots.total[slot]), load_partial(&slots.first[slot]),
                    load_relaxed(&slots.ended[slot])};
      }
    }
#pragma unroll
    for (u32 k = 0; k < slots_at_once; ++k) {
      if (first + k >= count) continue;
      const bool has_carry = begin + first + k > 0;
      if (has_carry) finish_open_of(arguments, share[k], carry, scalars);
      carry = has_carry ? combine(carry, share[k].total) : share[k].total;
    }
  }
}
