// Rows of equal length: which items rows begin with follows from the indices of the items. An index is divided once for
// all of a thread's items.
#pragma once

#include "parameters.cuh"

// Of a thread's neighbouring items: bit i % 32 of word i / 32 is set if a row begins with item i.
template <int items>
struct RowBegins {
  u32 words[(items + 31) / 32];
};

// The length of rows, and what follows from it alone. `lookahead` makes it once, and not for each tile.
struct RowLength {
  u64 items;
  u32 reciprocal;  // of 2^32
  u32 pattern;     // the bits 0, `items`, 2 `items` and so on of a word
  u32 past;        // past the last bit of a word, by which the pattern begins earlier in the next one: 32 % items
};

__device__ __forceinline__ RowLength row_length_of(u64 items) {
  const u32 length = items == 0 ? 1 : (items >> 32) == 0 ? u32(items) : ~0u;
  RowLength made{items, ~0u / length, 1, length > 32 ? 32 : 32 % length};
#pragma unroll
  for (u32 step = 1; step < 32; step *= 2) {
    if (length < 32 && step * length < 32) made.pattern |= made.pattern << (step * length);
  }
  return made;
}

// How many items it is from item `index` on to the next one with which a row begins. An item before the first of all,
// with which a row begins, has a negative index. 32 bits are divided by a product, which is one too small at most.
__device__ __forceinline__ u64 items_to_row(u64 index, const RowLength& row) {
  if (i64(index) < 0) return 0 - index;
  const bool narrow = ((index | row.items) >> 32) == 0;
  const u32 length = u32(row.items), rows = u32(u64(u32(index)) * row.reciprocal >> 32);
  const u32 rest = u32(index) - rows * length;
  const u64 past = narrow ? u64(rest < length ? rest : rest - length) : index % row.items;
  return past == 0 ? 0 : row.items - past;
}

// Of the items from item `index` on. Bits of one word form a pattern, which begins elsewhere in each word: so it takes
// steps per word, and not per bit.
template <int items>
__device__ __forceinline__ RowBegins<items> row_begins(u64 index, const RowLength& row) {
  constexpr u32 beyond = 1u << 16;  // as good as any distance that is longer
  static_assert(items < int(beyond), "items of a thread");
  const u64 distance = items_to_row(index, row);
  const u32 length = row.items < 2 * beyond ? u32(row.items) : 2 * beyond;
  u32 first = distance < beyond ? u32(distance) : beyond;
  if (first >= length) first %= length;  // of items before the first of all, which do not matter
  RowBegins<items> begins;
#pragma unroll
  for (int w = 0; w < (items + 31) / 32; ++w) {
    begins.words[w] = first < 32 ? row.pattern << first : 0;
    first = first < row.past ? first + length - row.past : first - row.past;
  }
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

// The last of the items [begin, end) with which a row begins, -1 for none.
template <int items>
__device__ __forceinline__ int last_begin(const RowBegins<items>& begins, int begin, int end) {
  int last = -1;
#pragma unroll
  for (int w = 0; w < (items + 31) / 32; ++w) {
    const int from = begin - 32 * w, to = end - 32 * w;
    const u32 before_end = to <= 0 ? 0 : to < 32 ? (1u << to) - 1 : ~0u;
    const u32 behind_begin = from <= 0 ? ~0u : from < 32 ? ~0u << from : 0;
    const u32 word = begins.words[w] & before_end & behind_begin;
    if (word != 0) last = 32 * w + highest_bit(word);
  }
  return last;
}

// Whether a row begins with item i.
template <int items>
__device__ __forceinline__ bool begins_row(const RowBegins<items>& begins, int i) {
  return (begins.words[i / 32] >> (i % 32) & 1) != 0;
}

// The bits of a word at the places [begin, end), which need not lie within it.
__device__ __forceinline__ u32 bits_within(u32 word, int begin, int end) {
  const u32 before_end = end <= 0 ? 0 : end < 32 ? (1u << end) - 1 : ~0u;
  const u32 behind_begin = begin <= 0 ? ~0u : begin < 32 ? ~0u << begin : 0;
  return word & before_end & behind_begin;
}

// The first of the items [begin, end) with which a row begins, -1 for none.
template <int items>
__device__ __forceinline__ int first_begin(const RowBegins<items>& begins, int begin, int end) {
  int first = -1;
#pragma unroll
  for (int w = (items + 31) / 32 - 1; w >= 0; --w) {
    const u32 word = bits_within(begins.words[w], begin - 32 * w, end - 32 * w);
    if (word != 0) first = 32 * w + lowest_bit(word);
  }
  return first;
}
