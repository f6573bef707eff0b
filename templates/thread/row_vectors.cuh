// What a thread loads of a row at a time. The threads of a group take a stretch of a row in turn, vector by vector. If
// items must be combined in their order, each thread takes neighbouring vectors instead. A row may begin within a
// vector: places are counted from that vector's first item on, and those before the row's first item are left out.
#pragma once

#include "algorithm/lift.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"
#include "thread/fold_words.items.cuh"

constexpr bool items_fill_vectors = 16 % sizeof(Input) == 0 && alignof(Input) == sizeof(Input);

// Whether narrow items are folded by the words that they lie in.
constexpr bool folds_words = sizeof(Input) < 4 && alignof(Input) == sizeof(Input);

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
__device__ __forceinline__ int row_place(int lane, int load, int i) {
  if (in_order) return lane * thread_items + load * vector_items + i;
  return (load * threads_per_row + lane) * vector_items + i;
}

// The threads that have items of a stretch of `valid` places: the lowest.
__device__ __forceinline__ int active_lanes(int valid) {
  constexpr int first_items = in_order ? thread_items : vector_items;
  const int lanes = (valid + first_items - 1) / first_items;
  return lanes < threads_per_row ? lanes : threads_per_row;
}

// The places [begin, valid) of a stretch that hold items.
struct Stretch {
  const Input* from;  // place 0
  int begin;
  int valid;
};

// Loads a thread's items of a stretch. `of_vectors`: the stretch has whole vectors only. `first` to `last`: the array,
// beyond which nothing is read.
template <bool of_vectors>
__device__ __forceinline__ void load_row(const Stretch& stretch, const Input* first, const Input* last, int lane,
                                         RowVectors& to) {
#pragma unroll
  for (int load = 0; load < loads_per_thread; ++load) {
    const int place = row_place(lane, load, 0);
    if (place >= stretch.valid) continue;
    const Input* const from = stretch.from + place;
    if (items_fill_vectors && (of_vectors || (from >= first && from + vector_items <= last))) {
      to.load[load].vector = *reinterpret_cast<const Vector<16>*>(from);
      continue;
    }
#pragma unroll
    for (int i = 0; i < vector_items; ++i) {
      if (place + i >= stretch.begin && place + i < stretch.valid) to.load[load].item[i] = from[i];
    }
  }
}

// Folds a thread's items of a stretch, at least one, behind what it has, if it has anything. `of_vectors`: the stretch
// has whole vectors only.
template <bool of_vectors, bool whole>
__device__ __forceinline__ void fold_row(const RowVectors& loaded, const Stretch& stretch, int lane, bool has_total,
                                         Accumulator& total) {
#pragma unroll
  for (int load = 0; load < loads_per_thread; ++load) {
    if (of_vectors && !whole && row_place(lane, load, 0) >= stretch.valid) continue;
    if (of_vectors && folds_words) {
      const Accumulator items = fold_words<false>({}, loaded.load[load].vector.word, 4);
      total = has_total ? combine(total, items) : items;
      has_total = true;
      continue;
    }
#pragma unroll
    for (int i = 0; i < vector_items; ++i) {
      const int place = row_place(lane, load, i);
      if (!of_vectors && !whole && (place < stretch.begin || place >= stretch.valid)) continue;
      const Accumulator item = lift(loaded.load[load].item[i]);
      total = has_total ? combine(total, item) : item;
      has_total = true;
    }
  }
}
