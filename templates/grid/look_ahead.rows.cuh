// Folds the aggregates of tiles [first, end) onto `running`, if has_running, in order, and waits for those that are not
// yet published. By all lanes of one warp. Tiles publish no inclusive prefixes, so there is no serial chain.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "grid/claim.ticket.cuh"
#include "grid/workspace.cuh"

__device__ __forceinline__ void look_ahead(Workspace* workspace, u32 epoch, u32 first, u32 end, bool has_running,
                                           Accumulator& running) {
  const Descriptor* const published = descriptors(workspace);
  for (; first < end; first += states_per_lane * warp_size) {
    const u32 left = end - first;
    Reading seen[states_per_lane];
    bool missing;
    do {
      missing = false;
#pragma unroll
      for (int k = 0; k < states_per_lane; ++k) {
        const u32 at = k * warp_size + lane_index();
        if (at >= left) continue;
        seen[k] = read(published + first + at, epoch);
        if (seen[k].status == invalid) {
          check_waiting(published + first + at, epoch);
          missing = true;
        }
      }
    } while (warp_ballot(missing) != 0);
    // The results of 32 tiles fit in 32 bits, too: there are at most 2^18 items per tile.
    // Folds rows of 32 aggregates, all rows at once so that their shuffles overlap, and then the rows in order.
#pragma unroll
    for (int distance = 1; distance < warp_size; distance *= 2) {
#pragma unroll
      for (int k = 0; k < states_per_lane; ++k) {
        const Exchanged above = shuffle_down(seen[k].value, distance);
        const u32 end_of_row = left < (k + 1) * warp_size ? left : (k + 1) * warp_size;
        if (k * warp_size + lane_index() + distance < end_of_row) seen[k].value = combine(seen[k].value, above);
      }
    }
#pragma unroll
    for (int k = 0; k < states_per_lane; ++k) {
      const Accumulator row = widen(shuffle(seen[k].value, 0));
      if (k * warp_size >= left) continue;
      running = has_running ? combine(running, row) : row;
      has_running = true;
    }
  }
}
