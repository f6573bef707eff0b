// Folds this thread's items [begin, end) of thread_items, at least one, from left to right, to a sum of f32 with an
// error term. The items have 16 bits: f64 keeps a sum of f16 exactly and one of bf16 to 53 bits, which is within the
// bounds of the two, and adds an item by one instruction.
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
  double sum = 0;
  bool has_value = false;
#pragma unroll
  for (int i = 0; i < thread_items; ++i) {
    if (whole || (i >= begin && i < end)) {
      const Input item = vectors[i / vector_items].item[i % vector_items];
      if constexpr (has_fast_f64) {
        sum = add_rounded(sum, double(float(item)));
      } else {
        value = has_value ? combine(value, lift(item)) : lift(item);
        has_value = true;
      }
    }
  }
  if constexpr (has_fast_f64) {
    const float rounded = float(sum);
    const float error = float(subtract_rounded(sum, double(rounded)));
    value = Accumulator(rounded, is_finite(error) ? error : 0.0f);  // none behind an infinite sum
  }
  return value;
}
