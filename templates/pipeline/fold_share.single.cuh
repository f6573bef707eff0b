// The fold of what a thread's items of one array contribute.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "operator/combine.count.cuh"
#include "parameters.cuh"
#include "pipeline/kept.none.cuh"
#include "pipeline/span.cuh"
#include "thread/load_vectors.forward.cuh"
#include "thread/vector.cuh"

// What this thread's items [begin, end) of thread_items, at least one, fold to.
template <bool whole>
__device__ __forceinline__ Local fold_share(const Span&, u32, const Input* items, int begin, int end,
                                            const Scalars& scalars, Kept&) {
  InputVector vectors[vectors_per_thread];
  load_vectors(items, vectors);
  Local value;
  bool has_value = false;
#pragma unroll
  for (int i = 0; i < thread_items; ++i) {
    if (whole || (i >= begin && i < end)) {
      const Local item = lift(Item{vectors[i / vector_items].item[i % vector_items]}, scalars);
      value = has_value ? Local(combine(value, item)) : item;
      has_value = true;
    }
  }
  return value;
}
