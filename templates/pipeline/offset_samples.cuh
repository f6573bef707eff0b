// Offsets at equal distances, in shared memory: others are searched for only between the two samples around them.
#pragma once

#include "parameters.cuh"
#include "pipeline/phase.suspend.cuh"
#include "thread/offset_range.cuh"

constexpr int offset_samples = 4096 / sizeof(Key);
constexpr int samples_per_lane = offset_samples / warp_size;

struct SampledOffsets {
  PhaseBarrier taken;
  Key offset[offset_samples];
};

__device__ __forceinline__ void init_samples(SampledOffsets& samples) {
  init_barrier(&samples.taken, worker_warps * warp_size);
}

__device__ __forceinline__ u64 distance_of_samples(const OffsetRange& range) {
  return (range.end - range.begin + offset_samples - 1) / offset_samples;
}

// The place of a sample: of those behind the last place, that one.
__device__ __forceinline__ u64 place_of_sample(const OffsetRange& range, u64 distance, int i) {
  const u64 place = range.begin + u64(i) * distance;
  return place < range.end ? place : range.end - 1;
}

// By the workers, before the first tile is filled.
__device__ __forceinline__ void take_samples(const OffsetRange& range, SampledOffsets& samples) {
  const u64 distance = distance_of_samples(range);
#pragma unroll 4
  for (int i = thread_index(); i < offset_samples; i += worker_warps * warp_size) {
    samples.offset[i] = Key(offset_at(range, place_of_sample(range, distance, i)));
  }
  arrive(&samples.taken);
}

// The first offset that is at least so many items is expected at `expected`, and lies within [begin, end].
struct PlacesBetween {
  u64 begin, end;
  u64 expected;
};

// By one warp.
__device__ __forceinline__ PlacesBetween places_between(const OffsetRange& range, u64 item, SampledOffsets& samples) {
  await_phase(&samples.taken, 0);
  // The last sample below `item`: first that of the first of each lane's samples, and then among that lane's own.
  const int lane = lane_index();
  const int below = count_bits(warp_ballot(u64(samples.offset[lane * samples_per_lane]) < item));
  if (below == 0) return {range.begin, range.begin, range.begin};
  const int first = (below - 1) * samples_per_lane;
  const bool is_below = lane < samples_per_lane && u64(samples.offset[first + lane]) < item;
  const int own = count_bits(warp_ballot(is_below)), last = first + (own > 0 ? own - 1 : 0);
  const u64 distance = distance_of_samples(range), begin = place_of_sample(range, distance, last);
  if (last == offset_samples - 1) return {begin, range.end, begin};
  const u64 end = place_of_sample(range, distance, last + 1), low = samples.offset[last],
            high = samples.offset[last + 1];
  const float part = item - low < high - low ? float(item - low) / float(high - low) : 0.0f;
  const u64 expected = begin + u64(part * float(end - begin));
  return {begin, end, expected < end ? expected : end};
}
