// Blelloch's work-efficient scan in shared memory, without an identity.
#pragma once

#include "block/padding.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"

// Exclusive scan of one value per thread over the first `active` threads of the block; threads_per_block is a power of
// two. `values` has room for all of them, padded if `pads`. `exclusive` becomes the thread's exclusive prefix
// (untouched in thread 0, which has none). `total`, in shared memory too, becomes the fold of all. The upsweep builds a
// tree of totals, each at the place of its last item. The downsweep replaces each by the prefix of its node, from the
// root on: the left child has the same prefix, and the right one that and the left child's total. GPU Gems 3 begins
// with an identity at the root. Here the first node of each level has no prefix, and none is read.
template <bool whole, bool pads>
__device__ __forceinline__ void blelloch_scan(Local value, int active, Local& exclusive, Local* values, Local& total) {
  const auto at = [&](int i) -> Local& { return values[pads ? padded(i) : i]; };
  const int thread = thread_index();
  if (whole || thread < active) at(thread) = value;
  int distance = 1;
#pragma unroll 1
  for (int nodes = threads_per_block / 2; nodes > 0; nodes /= 2) {
    block_barrier();
    const int left = distance * (2 * thread + 1) - 1, right = left + distance;
    if (thread < nodes && (whole || right < active)) at(right) = combine(at(left), at(right));
    distance *= 2;
  }
  if (whole && thread == 0) total = at(threads_per_block - 1);  // its own result

#pragma unroll 1
  for (int nodes = 1; nodes < threads_per_block; nodes *= 2) {
    distance /= 2;
    block_barrier();
    const int left = distance * (2 * thread + 1) - 1, right = left + distance;
    if (thread >= nodes || (!whole && left + 1 - distance >= active)) continue;
    const bool has_right = whole || left + 1 < active;
    if (thread == 0) {
      if (has_right) at(right) = at(left);
    } else {
      const Local prefix = at(right);
      if (has_right) at(right) = combine(prefix, at(left));
      at(left) = prefix;
    }
  }
  block_barrier();
  if (thread > 0 && (whole || thread < active)) exclusive = at(thread);
  if (!whole) {
    if (thread == active - 1) total = thread > 0 ? combine(exclusive, value) : value;
    block_barrier();
  }
}
