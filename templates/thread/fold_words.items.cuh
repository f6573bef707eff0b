// Folds the narrow items of words behind a value, if there is one, from left to right.
#pragma once

#include "algorithm/lift.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"

union ItemsOfWord {
  u32 word;
  Input item[sizeof(Input) < 4 ? 4 / sizeof(Input) : 1];
};

// Of a word's items from item `first` on.
__device__ __forceinline__ Accumulator fold_word(Accumulator total, u32 word, int first) {
  constexpr int word_items = sizeof(Input) < 4 ? 4 / int(sizeof(Input)) : 1;
  ItemsOfWord items;
  items.word = word;
#pragma unroll
  for (int i = first; i < word_items; ++i) total = combine(total, lift(items.item[i]));
  return total;
}

// Of at least one word, unless there is a value.
template <bool has_total>
__device__ __forceinline__ Accumulator fold_words(Accumulator total, const u32* word, int words) {
  int first = 0;
  if (!has_total) {
    ItemsOfWord items;
    items.word = word[0];
    total = fold_word(lift(items.item[0]), word[0], 1);
    first = 1;
  }
#pragma unroll 4
  for (int w = first; w < words; ++w) total = fold_word(total, word[w], 0);
  return total;
}

// Folds the items of the first `bytes` bytes of some words, at least one.
template <int words>
__device__ __forceinline__ Accumulator fold_few_words(const u32 (&word)[words], int bytes) {
  constexpr int word_items = sizeof(Input) < 4 ? 4 / int(sizeof(Input)) : 1;
  Accumulator total;
#pragma unroll
  for (int i = 0; i < words * word_items; ++i) {
    ItemsOfWord items;
    items.word = word[i / word_items];
    if (i == 0) {
      total = lift(items.item[0]);
    } else if (i * int(sizeof(Input)) < bytes) {
      total = combine(total, lift(items.item[i % word_items]));
    }
  }
  return total;
}
