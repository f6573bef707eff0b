// Segments that several blocks have items of: each block leaves what its share of the items holds of them, and the last
// block to finish completes them, in the order of the shares. So the association does not depend on timing.
#pragma once

#include "algorithm/hooks.reduce_segments.cuh"
#include "block/scan.warp_scans.cuh"
#include "grid/partial.words_64.cuh"
#include "operator/combine.flagged.cuh"
#include "parameters.cuh"
#include "thread/offset_range.cuh"

// Global memory that outlives the launch. Zero before the first one; each launch leaves it ready for the next.
struct alignas(128) SharesHeader {
  u32 unused;
  u32 finished;  // blocks whose slot is filled
};

// What a block leaves of its share.
struct ShareSlot {
  Partial total;  // the fold of the items since the last segment began
  Partial first;  // that of the items of the segment that began in an earlier share and ends in this one, if any
  u64 ended;      // 0: no segment is so; otherwise the number of the offset at which it ends
  u64 has_first;  // whether it has items in this share
};

// An open segment: it began in an earlier share.
struct Open {
  u64 ended = 0;
  bool has_first = false;
  Value first;
};

__device__ __forceinline__ SharesHeader* header_of(Workspace* workspace) {
  return reinterpret_cast<SharesHeader*>(workspace);
}

__device__ __forceinline__ ShareSlot* slots_of(Workspace* workspace) {
  return reinterpret_cast<ShareSlot*>(header_of(workspace) + 1);
}

// The results of all open segments, by one block: each from the fold of what the shares before leave of it.
__device__ __forceinline__ void finish_open(const Arguments& arguments, int shares, const Scalars& scalars,
                                            BlockScanStorage& storage) {
  ShareSlot* const slots = slots_of(arguments.workspace);
  const int each = (shares + threads_per_block - 1) / threads_per_block;
  const int begin = thread_index() * each, end = begin + each < shares ? begin + each : shares;
  Accumulator folded;
  for (int i = begin; i < end; ++i) {
    const Accumulator total = load_partial(&slots[i].total);
    folded = i > begin ? combine(folded, total) : total;
  }
  Accumulator carry;
  block_scan<false>(folded, (shares + each - 1) / each, carry, storage);
  for (int i = begin; i < end; ++i) {
    const u64 ended = load_relaxed(&slots[i].ended);
    const bool has_carry = i > 0;
    if (ended > 0) {
      Value total = carry.value;
      if (load_relaxed(&slots[i].has_first) != 0) {
        const Value first = load_partial(&slots[i].first).value;
        total = has_carry ? combine(carry.value, first) : first;
      }
      finish_segment(arguments.out + segment_of_end(ended), has_carry, total, scalars);
    }
    const Accumulator total = load_partial(&slots[i].total);
    carry = has_carry ? combine(carry, total) : total;
  }
}

// By one thread of each of `shares` blocks, of which the last one is told by true: it is to finish the open segments.
__device__ __forceinline__ bool leave_share(Workspace* workspace, u32 shares, const Accumulator& total,
                                            const Open& open) {
  ShareSlot& slot = slots_of(workspace)[block_index()];
  store_partial(&slot.total, total);
  if (open.has_first) store_partial(&slot.first, {open.first, 0});
  store_relaxed(&slot.ended, open.ended);
  store_relaxed(&slot.has_first, u64(open.has_first));
  const u32 finished = add_acquire_release(&header_of(workspace)->finished, 1);
  if (finished >= shares) abort_kernel();  // another launch counts at the same time in the same workspace
  return finished == shares - 1;
}
