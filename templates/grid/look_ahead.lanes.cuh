// The look-ahead of grid/look_ahead.rows.cuh where combining takes long: neighbouring aggregates go to one lane, which
// combines them on its own, so that the warp combines once per step and not once per row.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "grid/claim.ticket.cuh"
#include "grid/workspace.cuh"

__device__ __forceinline__ void look_ahead(Workspace* workspace, u32 epoch, u32 first, u32 end, bool has_running,
                                           Accumulator& running) {
  for (; first < end; first += states_per_lane * warp_size) {
    const u32 left = end - first, own = lane_index() * states_per_lane;
    const Descriptor* const published = descriptors(workspace) + first + own;
    Reading seen[states_per_lane];
    bool missing;
    do {
      missing = false;
#pragma unroll
      for (u32 k = 0; k < states_per_lane; ++k) {
        if (own + k >= left) continue;
        seen[k] = read(published + k, epoch);
        if (seen[k].status == invalid) {
          check_waiting(published + k, epoch);
          missing = true;
        }
      }
    } while (warp_ballot(missing) != 0);
    Accumulator value = widen(seen[0].value);
#pragma unroll
    for (u32 k = 1; k < states_per_lane; ++k) {
      if (own + k < left) value = combine(value, widen(seen[k].value));
    }
#pragma unroll
    for (u32 distance = 1; distance < warp_size; distance *= 2) {
      const Accumulator above = shuffle_down(value, distance);
      if (own + distance * states_per_lane < left) value = combine(value, above);
    }
    const Accumulator all = shuffle(value, 0);
    running = has_running ? combine(running, all) : all;
    has_running = true;
  }
}
