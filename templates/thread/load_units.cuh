// A thread copies items or vectors through registers, as many at a time as are 64 bytes.
#pragma once

#include "target/cuda.cuh"

// Up to `batch` units of those that are left.
template <int batch, bool all, typename Unit>
__device__ __forceinline__ void load_batch(Unit* to, int to_step, const Unit* from, u64 from_step, int left) {
  Unit loaded[batch];
#pragma unroll
  for (int i = 0; i < batch; ++i) {
    if (!all) loaded[i] = Unit{};  // registers that kept what was in them would be spilled
    if (all || i < left) loaded[i] = from[u64(i) * from_step];
  }
#pragma unroll
  for (int i = 0; i < batch; ++i) {
    if (all || i < left) to[i * to_step] = loaded[i];
  }
}

// `count` units, which are so many units apart.
template <typename Unit>
__device__ __forceinline__ void load_units(Unit* to, int to_step, const Unit* from, u64 from_step, int count) {
  constexpr int most = 16, fit = 64 / int(sizeof(Unit)), batch = fit < 1 ? 1 : fit < most ? fit : most;
  for (; count >= batch; count -= batch) {
    load_batch<batch, true>(to, to_step, from, from_step, batch);
    to += batch * to_step;
    from += u64(batch) * from_step;
  }
  if (count > 0) load_batch<batch, false>(to, to_step, from, from_step, count);
}
