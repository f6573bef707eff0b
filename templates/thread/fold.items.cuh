// Folds this thread's items [begin, end) of thread_items, at least one, from left to right.
#pragma once

#include "algorithm/lift.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "thread/load_vectors.forward.cuh"
#include "thread/vector.cuh"

template <bool whole>
__device__ __forceinline__ Accumulator fold_items(const Input* from, int begin, int end) {
  InputVector vectors[vectors_per_thread];
  load_vectors(from, vectors);
  Accumulator value;
  bool has_value = false;
#pragma unroll
  for (int i = 0; i < thread_items; ++i) {
    if (whole || (i >= begin && i < end)) {
      const Accumulator item = lift(vectors[i / vector_items].item[i % vector_items]);
      value = has_value ? combine(value, item) : item;
      has_value = true;
    }
  }
  return value;
}
