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

// Sets the bits `first`, `first` + `length` and so on, and no others; first < length. Bits of one word form a pattern,
// which begins elsewhere in each word: so it takes steps per word, and not per bit.
template <int words>
__device__ __forceinline__ void set_every(u32 first, u32 length, u32 (&word)[words]) {
  u32 pattern = 1;
#pragma unroll
  for (u32 step = 1; step < 32; step *= 2) {
    if (step * length < 32) pattern |= pattern << (step * length);
  }
  u32 past = 32;  // past the last bit of a word, by which the pattern begins earlier in the next one: 32 % length
#pragma unroll
  for (u32 step = 16; length < 32 && step > 0; step /= 2) {
    if (past >= step * length) past -= step * length;
  }
#pragma unroll
  for (int w = 0; w < words; ++w) {
    word[w] = first < 32 ? pattern << first : 0;
    first = first < past ? first + length - past : first - past;
  }
}

// Of the items from item `index` on.
template <int items>
__device__ __forceinline__ RowBegins<items> row_begins(u64 index, u64 row_length) {
  constexpr u32 beyond = 1u << 16;  // as good as any distance that is longer
  static_assert(items < int(beyond), "items of a thread");
  const u64 distance = items_to_row(index, row_length);
  RowBegins<items> begins;
  const u32 length = row_length < 2 * beyond ? u32(row_length) : 2 * beyond;
  u32 first = distance < beyond ? u32(distance) : beyond;
  if (first >= length) first %= length;  // of items before the first of all, which do not matter
  set_every(first, length, begins.words);
  return begins;
}

// Whether any row begins with one of the items [begin, end).
template <int items>
__device__ __forceinline__ bool begins_any(const RowBegins<items>& begins, int begin, int end) {
  u32 any = 0;
#pragma unroll
  for (int w = 0; w < (items + 31) / 32; ++w) {
    const int from = begin - 32 * w, to = end - 32 * w;
    const u32 before_end = to <= 0 ? 0 : to < 32 ? (1u << to) - 1 : ~0u;
    const u32 behind_begin = from <= 0 ? ~0u : from < 32 ? ~0u << from : 0;
    any |= begins.words[w] & before_end & behind_begin;
  }
  return any != 0;
}

// Whether a row begins with item i.
template <int items>
__device__ __forceinline__ bool begins_row(const RowBegins<items>& begins, int i) {
  return (begins.words[i / 32] >> (i % 32) & 1) != 0;
}
