// Scans this thread's items [begin, end) column by column from the carry on, if there is one, and emits a result at
// each place. Where all items are there, so is the carry. Results may go to the memory of `from`. Columns are as in
// thread/fold.columns.cuh.
#pragma once

#include "algorithm/hooks.inclusive_scan.cuh"
#include "operator/combine.columns.cuh"
#include "parameters.cuh"
#include "thread/load_vectors.forward.cuh"
#include "thread/results.forward.cuh"
#include "thread/vector.cuh"

template <bool whole, typename Results>
__device__ __forceinline__ void scan_and_store_items(const Input* from, Results& results, int begin, int end,
                                                     bool has_carry, RowValues carry) {
  InputVector vectors[vectors_per_thread];
  load_vectors(from, vectors);
#pragma unroll
  for (int v = 0; v < vectors_per_thread; ++v) {
    ResultVector result;
#pragma unroll
    for (int k = 0; k < vector_items; ++k) {
      const int i = v * vector_items + k;
      if (!whole && (i < begin || i >= end)) continue;
      Value& before = carry.of[i % row_columns];
      const Value item = Value(vectors[v].item[k]);
      const bool has_before = has_initial || whole || has_carry || i - row_columns >= begin;
      if (!emits_inclusive) result.item[k] = Output(before);
      before = has_before ? combine(before, item) : item;
      if (emits_inclusive) result.item[k] = Output(before);
    }
    results.put(v, result);
  }
}
