// What a thread loads of a row at a time. The threads of a group take a stretch of a row in turn: vector by vector, or
// item by item where the row does not begin at a multiple of 16 bytes. If items must be combined in their order, each
// thread takes neighbouring ones instead.
#pragma once

#include "algorithm/lift.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"

constexpr bool items_fill_vectors = 16 % sizeof(Input) == 0;

constexpr int vector_items = items_fill_vectors ? 16 / sizeof(Input) : 1;

constexpr int thread_items = loads_per_thread * vector_items;

// Of a row, by a group of threads at a time.
constexpr int group_items = threads_per_row * thread_items;

union RowVector {
  Vector<16> vector;
  Input item[vector_items];
};

struct RowVectors {
  RowVector load[loads_per_thread];
};

// The place within the group's stretch of item i of vector `load` of a thread.
template <bool vectors>
__device__ __forceinline__ int row_place(int lane, int load, int i) {
  if (in_order) return lane * thread_items + load * vector_items + i;
  if (vectors) return (load * threads_per_row + lane) * vector_items + i;
  return (load * vector_items + i) * threads_per_row + lane;
}

// The threads that have items of a stretch of `valid` ones, at least one: the lowest.
template <bool vectors>
__device__ __forceinline__ int active_lanes(int valid) {
  constexpr int first_items = in_order ? thread_items : vectors ? vector_items : 1;
  const int lanes = (valid + first_items - 1) / first_items;
  return lanes < threads_per_row ? lanes : threads_per_row;
}

// Loads a thread's items of the stretch from `from` on, of which `valid` are there.
template <bool vectors>
__device__ __forceinline__ void load_row(const Input* from, int valid, int lane, RowVectors& to) {
#pragma unroll
  for (int load = 0; load < loads_per_thread; ++load) {
    if (vectors) {
      const int place = row_place<vectors>(lane, load, 0);
      if (place < valid) to.load[load].vector = *reinterpret_cast<const Vector<16>*>(from + place);
      continue;
    }
#pragma unroll
    for (int i = 0; i < vector_items; ++i) {
      const int place = row_place<vectors>(lane, load, i);
      if (place < valid) to.load[load].item[i] = from[place];
    }
  }
}

// Folds a thread's items of the stretch, at least one, behind what it has, if it has anything.
template <bool vectors, bool whole>
__device__ __forceinline__ void fold_row(const RowVectors& loaded, int valid, int lane, bool has_total,
                                         Accumulator& total) {
#pragma unroll
  for (int load = 0; load < loads_per_thread; ++load) {
#pragma unroll
    for (int i = 0; i < vector_items; ++i) {
      if (!whole && row_place<vectors>(lane, load, i) >= valid) continue;
      const Accumulator item = lift(loaded.load[load].item[i]);
      total = has_total || load + i > 0 ? combine(total, item) : item;
    }
  }
}
