// Rows of equal length: which items rows begin with follows from the indices of the items. An index is divided once for
// all of a thread's items.
#pragma once

#include "parameters.cuh"

// Of a thread's neighbouring items: bit i % 32 of word i / 32 is set if a row begins with item i.
template <int items>
struct RowBegins {
  u32 words[(items + 31) / 32];
};

// How many items it is from item `index` on to the next one with which a row begins. An item before the first of all,
// with which a row begins, has a negative index. A division of 32 bits takes a fraction of the time of one of 64.
__device__ __forceinline__ u64 items_to_row(u64 index, u64 row_length) {
  if (i64(index) < 0) return 0 - index;
  const bool narrow = ((index | row_length) >> 32) == 0;
  const u64 past = narrow ? u64(u32(index) % u32(row_length)) : index % row_length;
  return past == 0 ? 0 : row_length - past;
}

// Of the items from item `index` on.
template <int items>
__device__ __forceinline__ RowBegins<items> row_begins(u64 index, u64 row_length) {
  constexpr int words = (items + 31) / 32;
  const u64 distance = items_to_row(index, row_length);
  int next = distance < items ? int(distance) : items;
  RowBegins<items> begins;
  if (row_length >= items) {
#pragma unroll
    for (int w = 0; w < words; ++w) begins.words[w] = next < items && next / 32 == w ? 1u << (next % 32) : 0;
    return begins;
  }
#pragma unroll
  for (int w = 0; w < words; ++w) begins.words[w] = 0;
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (i != next) continue;
    begins.words[i / 32] |= 1u << (i % 32);
    next += int(row_length);
  }
  return begins;
}

// Whether a row begins with item i.
template <int items>
__device__ __forceinline__ bool begins_row(const RowBegins<items>& begins, int i) {
  return (begins.words[i / 32] >> (i % 32) & 1) != 0;
}
