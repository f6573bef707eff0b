// Exchange within a warp; all 32 lanes call.
#pragma once

#include "target/types.cuh"

// The value of the lane `distance` below; lanes below `distance` get their own.
template <typename T>
__device__ __forceinline__ T shuffle_up(T value, int distance) {
  Words<T> words;
  words.value = value;
#pragma unroll
  for (int i = 0; i < words.count; ++i) words.word[i] = __shfl_up_sync(whole_warp, words.word[i], distance);
  return words.value;
}

// The value of the lane `distance` above; the highest lanes get their own.
template <typename T>
__device__ __forceinline__ T shuffle_down(T value, int distance) {
  Words<T> words;
  words.value = value;
#pragma unroll
  for (int i = 0; i < words.count; ++i) words.word[i] = __shfl_down_sync(whole_warp, words.word[i], distance);
  return words.value;
}

// The value of lane `source`.
template <typename T>
__device__ __forceinline__ T shuffle(T value, int source) {
  Words<T> words;
  words.value = value;
#pragma unroll
  for (int i = 0; i < words.count; ++i) words.word[i] = __shfl_sync(whole_warp, words.word[i], source);
  return words.value;
}

// Bit i is lane i's predicate.
__device__ __forceinline__ u32 warp_ballot(bool predicate) { return __ballot_sync(whole_warp, predicate); }
