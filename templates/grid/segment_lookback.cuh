// Segments that several shares of the items have items of. Each share publishes its total, which is the fold of its
// items since the last segment began, and keeps what it has of its open segment: the one that began in an earlier share
// and ends in this one. Its block completes the open segment by a look-back over the totals of earlier shares, in their
// order, until one of them has the segment's begin.
//   A block waits only for shares of blocks that run already, and only for shares before all those that it has not
// published yet. So nobody waits for a share whose block waits for that of another one in turn.
#pragma once

#include "algorithm/hooks.reduce_segments.cuh"
#include "block/scan.warp_scans.cuh"
#include "grid/partial.words_64.cuh"
#include "grid/workspace.cuh"
#include "operator/combine.flagged.cuh"
#include "parameters.cuh"
#include "thread/offset_range.cuh"

// The open segment of a share.
struct OpenSegment {
  Partial first;  // the fold of its items in the share, if there are any
  // 0 if the share has no open segment. If one ends at offset number i, 2 * i + 1 if it has items in the share, and
  // otherwise 2 * i.
  u64 ended;
};

static_assert(sizeof(OpenSegment) <= sizeof(Descriptor), "each share has the room of two descriptors");

__device__ __forceinline__ Descriptor* total_of(Workspace* workspace, u32 share) {
  return descriptors(workspace) + 2 * u64(share);
}

__device__ __forceinline__ OpenSegment* open_segment_of(Workspace* workspace, u32 share) {
  return reinterpret_cast<OpenSegment*>(total_of(workspace, share) + 1);
}

// Before the share's segments are looked for.
__device__ __forceinline__ void leave_none_open(Workspace* workspace, u32 share) {
  store_relaxed(&open_segment_of(workspace, share)->ended, u64(0));
}

// The share's open segment ends at offset number `ended`.
__device__ __forceinline__ void leave_open(Workspace* workspace, u32 share, u64 ended, bool has_first, Value first) {
  OpenSegment* const open = open_segment_of(workspace, share);
  if (has_first) store_partial(&open->first, {first, 0});
  store_relaxed(&open->ended, 2 * ended + u64(has_first));
}

__device__ __forceinline__ void publish_total(Workspace* workspace, u32 epoch, u32 share, const Accumulator& total) {
  publish(total_of(workspace, share), epoch, aggregate, total);
}

__device__ __forceinline__ Accumulator await_total(Workspace* workspace, u32 epoch, u32 share) {
  for (;;) {
    const Reading seen = read(total_of(workspace, share), epoch);
    if (seen.status != invalid) return seen.value;
    wait_nanoseconds(100);  // those who ask often keep others from publishing
  }
}

// The fold of the shares before one, since the last segment began.
struct BeforeShare {
  bool is_known;
  Accumulator value;
};

// By one thread, over at most so many shares.
__device__ __forceinline__ BeforeShare look_back(Workspace* workspace, u32 epoch, u32 share, u32 most) {
  BeforeShare before;
  before.is_known = false;
#pragma unroll 1
  for (u32 back = 1; back <= most && !before.is_known; ++back) {
    const Accumulator total = await_total(workspace, epoch, share - back);
    before.value = back > 1 ? combine(total, before.value) : total;
    before.is_known = before.value.begins != 0 || back == share;
  }
  return before;
}

// By many threads at a time: shares that are further back are for look_back_far.
constexpr u32 near_shares = 4;

// What all earlier shares have of the segment that is open at the begin of `share`. combine_totals(first, count)
// combines the totals of `count` neighbouring shares. It is called for the nearest ones first.
template <typename CombineTotals>
__device__ __forceinline__ Accumulator combine_backwards(u32 share, const CombineTotals& combine_totals) {
  Accumulator before;
#pragma unroll 1
  for (u32 end = share; end > 0;) {
    const u32 count = end < threads_per_block ? end : threads_per_block, first = end - count;
    const Accumulator total = combine_totals(first, count);
    before = end < share ? combine(total, before) : total;
    if (before.begins != 0) break;
    end = first;
  }
  return before;
}

// By the whole block: each thread reads the total of one share at a time.
__device__ __forceinline__ Accumulator look_back_far(Workspace* workspace, u32 epoch, u32 share,
                                                     BlockScanStorage& storage) {
  return combine_backwards(share, [&](u32 first, u32 count) {
    Accumulator total, exclusive;
    if (u32(thread_index()) < count) total = await_total(workspace, epoch, first + u32(thread_index()));
    block_barrier();  // all threads have read the totals of warps in `storage`
    return block_scan<false>(total, int(count), exclusive, storage);
  });
}

// The same, and in the same association, by one warp: it takes the places of the block's warps one after the other.
__device__ __forceinline__ Accumulator look_back_far_by_warp(Workspace* workspace, u32 epoch, u32 share) {
  return combine_backwards(share, [&](u32 first, u32 count) {
    Accumulator total;
#pragma unroll 1
    for (u32 done = 0; done < count; done += warp_size) {
      const u32 left = count - done, active = left < warp_size ? left : warp_size;
      Accumulator of_share;
      if (u32(lane_index()) < active) of_share = await_total(workspace, epoch, first + done + u32(lane_index()));
      const Accumulator of_warp = shuffle(warp_scan<false>(of_share, int(active)), int(active) - 1);
      total = done > 0 ? combine(total, of_warp) : of_warp;
    }
    return total;
  });
}

// The result of an open segment that ends at offset number `ended`.
__device__ __forceinline__ void finish_open(const Arguments& arguments, u64 ended, bool has_first, const Value& first,
                                            const Accumulator& before, const Scalars& scalars) {
  finish_segment(arguments.out + segment_of_end(ended), true, has_first ? combine(before.value, first) : before.value,
                 scalars);
}

__device__ __forceinline__ void finish_open(const Arguments& arguments, u32 share, const Accumulator& before,
                                            const Scalars& scalars) {
  const OpenSegment* const open = open_segment_of(arguments.workspace, share);
  const Accumulator first = load_partial(&open->first);
  const u64 ended = load_relaxed(&open->ended);
  finish_open(arguments, ended / 2, ended % 2 != 0, first.value, before, scalars);
}

// Completes the open segment of a share, if it has one, by one thread. Returns true if the segment began more than
// `most` shares ago and is still open.
__device__ __forceinline__ bool leaves_open(const Arguments& arguments, u32 epoch, u32 share, u32 most,
                                            const Scalars& scalars) {
  if (share == 0 || load_relaxed(&open_segment_of(arguments.workspace, share)->ended) == 0) return false;
  const BeforeShare before = look_back(arguments.workspace, epoch, share, most);
  if (before.is_known) finish_open(arguments, share, before.value, scalars);
  return !before.is_known;
}

// Completes the open segments of the block's shares, by all threads: first those that began a few shares ago, by a
// thread each. `most_shares`: a multiple of the warp size.
template <int most_shares>
__device__ __forceinline__ void complete_open_segments(const Arguments& arguments, u32 epoch, const u32* shares,
                                                       int count, const Scalars& scalars,
                                                       u32 (&unknown)[most_shares / warp_size],
                                                       BlockScanStorage& storage) {
  if (warp_index() == 0) {
#pragma unroll 1
    for (int first = 0; first < count; first += warp_size) {
      const int i = first + lane_index();
      const bool is_open = i < count && leaves_open(arguments, epoch, shares[i], near_shares, scalars);
      const u32 lanes = warp_ballot(is_open);
      if (lane_index() == 0) unknown[first / warp_size] = lanes;
    }
  }
  block_barrier();
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    if ((unknown[i / warp_size] >> i % warp_size & 1) == 0) continue;
    const Accumulator before = look_back_far(arguments.workspace, epoch, shares[i], storage);
    if (thread_index() == 0) finish_open(arguments, shares[i], before, scalars);
  }
}
