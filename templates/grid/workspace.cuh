// The workspace of schedules with tickets: launches are told apart by an epoch, so descriptors need no reset.
#pragma once

#include "parameters.cuh"
#include "grid/descriptor.packed_64.cuh"

// Global memory that outlives the launch. Zero before the first one; each launch leaves it ready for the next.
struct alignas(128) Workspace {
  u64 ticket;      // high half: number of launches, modulo `epochs`; low half: tickets taken in this launch
  u32 high_water;  // most tiles that any launch had
  u32 scrubbed;    // descriptor that is looked at next, see scrub
};

// A descriptor's tag is epoch * 4 + status: those of earlier launches are as good as empty.
constexpr u32 epochs = 1u << 30;

__device__ __forceinline__ Descriptor* descriptors(Workspace* workspace) {
  return reinterpret_cast<Descriptor*>(workspace + 1);
}

// Whether a launch after this one has published there: while this one waits for it, no launch that the stream or graph
// orders can have.
__device__ __forceinline__ bool is_later(const Descriptor* descriptor, u32 epoch) {
  const u32 tag = tag_of(descriptor);
  return tag % 4 != invalid && tag / 4 == (epoch + 1) % epochs;
}

// Passes memory order on from tile to tile. Called by all lanes of a warp that have read what earlier tiles published,
// before a lane publishes: whoever reads what this lane publishes then sees the earlier tiles' loads as done. The first
// fence orders what each lane has read; the barrier hands that order to the publishing lane, and the second fence
// publishes it (PTX ISA, "Memory Consistency Model", release and acquire patterns). Only needed `in_place`, where
// results take the place of items.
__device__ __forceinline__ void pass_order_on(bool in_place) {
  if (!in_place) return;
  fence_device();
  warp_barrier();
  fence_device();
}

struct Claim {
  u32 number;
  u32 epoch;
};

// Takes `count` tickets of this launch: rising numbers, and with them the epoch. Both are in one word, so that the
// block that takes the last ticket can begin the next epoch while others still work in this one.
__device__ __forceinline__ u64 take_tickets(Workspace* workspace, u32 count) {
  return add_relaxed(&workspace->ticket, count);
}

__device__ __forceinline__ Claim claim_of(u64 ticket) { return {u32(ticket), u32(ticket >> 32)}; }

// By the thread that took the last ticket of this launch.
__device__ __forceinline__ void begin_next_epoch(Workspace* workspace, Claim claim) {
  store_relaxed(&workspace->ticket, u64((claim.epoch + 1) % epochs) << 32);
}

// Epochs come round after 2^30 launches, and a descriptor beyond the tiles of all launches since would still hold its
// old tag. So each launch clears one that it does not use, going round; by one thread.
__device__ __forceinline__ void scrub(Workspace* workspace, u32 tiles) {
  const u32 high_water = load_relaxed(&workspace->high_water), scrubbed = load_relaxed(&workspace->scrubbed);
  if (tiles > high_water) store_relaxed(&workspace->high_water, tiles);
  if (scrubbed >= tiles && scrubbed < high_water) clear(descriptors(workspace) + scrubbed);
  store_relaxed(&workspace->scrubbed, scrubbed + 1 < high_water ? scrubbed + 1 : 0);
}

// By the thread that took `count` tickets from claim.number on, of `tickets` that this launch takes in all. More
// tickets, or another epoch than that of the block's first: another launch uses the same workspace at the same time.
__device__ __forceinline__ void settle_claim(Workspace* workspace, Claim claim, u32 epoch, u32 count, u32 tickets,
                                             u32 tiles) {
  if (claim.number + count > tickets || claim.epoch != epoch) abort_kernel();
  if (claim.number + count != tickets) return;
  begin_next_epoch(workspace, claim);
  scrub(workspace, tiles);
}
