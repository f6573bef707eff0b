// Gathers the results of a thread's items one by one.
#pragma once

#include "parameters.cuh"
#include "pipeline/gather_items.cuh"

template <bool whole>
__device__ __forceinline__ u32 gather_results(const Gathering& gathering,
                                              const InputVector (&vectors)[vectors_per_thread], int begin, int end,
                                              const Scalars& scalars, u32 slot) {
  return gather_items<whole>(gathering, vectors, begin, end, scalars, slot);
}
