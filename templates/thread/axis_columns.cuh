// Columns: the items along an axis that is not the last one, `inner` items apart. A thread takes one column, or
// `columns_per_thread` neighbouring ones whose items of a row fill a vector.
#pragma once

#include "algorithm/lift.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"

template <>
struct Vector<1> {
  u8 byte;
};

// The widest vector that fills so many bytes evenly.
template <int bytes>
constexpr int vector_bytes_of = bytes % 16 == 0  ? 16
                                : bytes % 8 == 0 ? 8
                                : bytes % 4 == 0 ? 4
                                : bytes % 2 == 0 ? 2
                                                 : 1;

// Items of a thread's columns in one row. `vectors`: of all that it takes, otherwise of one.
template <typename T, bool vectors>
union ColumnItems {
  static constexpr int count = vectors ? columns_per_thread : 1;
  static constexpr int vector_bytes = vector_bytes_of<count* int(sizeof(T))>;
  Vector<vector_bytes> vector[count * int(sizeof(T)) / vector_bytes];
  T item[count];
};

// A thread's items of neighbouring rows.
template <bool vectors, int rows = items_per_thread>
struct ColumnRows {
  ColumnItems<Input, vectors> row[rows];
};

// Rows that a thread loads at a time: more where it has one column.
template <bool vectors>
constexpr int rows_at_once = vectors ? items_per_thread
                                     : items_per_thread*(columns_per_thread < 4 ? columns_per_thread : 4);

// Whether the items of a thread's columns are vectors in all rows.
template <typename T>
__device__ __forceinline__ bool fills_vectors(const T* array, u64 inner) {
  return columns_per_thread > 1 && inner % columns_per_thread == 0 &&
         is_aligned<ColumnItems<T, true>::vector_bytes>(array);
}

// The index of the first item of a column. A division of 32 bits takes a fraction of the time of one of 64.
__device__ __forceinline__ u64 item_of_column(u64 column, u64 length, u64 inner) {
  const bool narrow = ((column | inner) >> 32) == 0;
  const u64 outer = narrow ? u64(u32(column) / u32(inner)) : column / inner;
  return column + outer * inner * (length - 1);
}

template <bool vectors>
__device__ __forceinline__ void load_columns(const Input* from, ColumnItems<Input, vectors>& to) {
  using Items = ColumnItems<Input, vectors>;
  if (!vectors) {
    to.item[0] = *from;
    return;
  }
#pragma unroll
  for (int i = 0; i < int(sizeof(Items::vector) / sizeof(Items::vector[0])); ++i) {
    to.vector[i] = reinterpret_cast<const Vector<Items::vector_bytes>*>(from)[i];
  }
}

template <bool vectors>
__device__ __forceinline__ void store_columns(Output* to, const ColumnItems<Output, vectors>& from) {
  using Items = ColumnItems<Output, vectors>;
  if (!vectors) {
    *to = from.item[0];
    return;
  }
#pragma unroll
  for (int i = 0; i < int(sizeof(Items::vector) / sizeof(Items::vector[0])); ++i) {
    reinterpret_cast<Vector<Items::vector_bytes>*>(to)[i] = from.vector[i];
  }
}

// Loads the first `valid` rows, before any of them is used.
template <bool vectors, int count>
__device__ __forceinline__ void load_rows(const Input* from, u64 inner, int valid, ColumnRows<vectors, count>& rows) {
#pragma unroll
  for (int i = 0; i < count; ++i) {
    if (i < valid) load_columns<vectors>(from + u64(i) * inner, rows.row[i]);
  }
}

// Folds the first `valid` rows, or all of them, onto `total`, if has_total, column by column.
template <bool vectors, bool all, int count>
__device__ __forceinline__ void fold_rows(const ColumnRows<vectors, count>& rows, int valid, bool has_total,
                                          Accumulator (&total)[ColumnItems<Input, vectors>::count]) {
#pragma unroll
  for (int i = 0; i < count; ++i) {
    if (!all && i >= valid) continue;
#pragma unroll
    for (int c = 0; c < ColumnItems<Input, vectors>::count; ++c) {
      const Accumulator item = lift(rows.row[i].item[c]);
      total[c] = has_total || i > 0 ? combine(total[c], item) : item;
    }
  }
}
