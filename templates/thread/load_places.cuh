// Loads a thread's items of an array in a stage, however the array is aligned.
#pragma once

#include "parameters.cuh"
#include "thread/vector.cuh"

// Bytes of a thread's items of an array, and the widest vector of at most 16 bytes that they fill.
template <typename T>
__device__ constexpr int thread_bytes() {
  return thread_items * int(sizeof(T));
}

template <typename T>
__device__ constexpr int place_vector_bytes() {
  constexpr int bytes = thread_bytes<T>();
  return bytes % 16 == 0 ? 16 : bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : 2;
}

// A thread's items of an array.
template <typename T, bool narrow = sizeof(T) / 4 == 0>
struct ThreadItems {
  T item[thread_items];

  __device__ __forceinline__ T operator[](int i) const { return item[i]; }
};

// Narrow items stay in the words that they come in: one by one, each would take a register.
template <typename T>
struct ThreadItems<T, true> {
  static constexpr int word_items = 4 / int(sizeof(T));

  u32 word[(thread_bytes<T>() + 3) / 4];

  __device__ __forceinline__ T operator[](int i) const {
    union {
      u32 word;
      T item[word_items];
    } one;
    one.word = word[i / word_items];
    return one.item[i % word_items];
  }
};

template <typename T>
union PlaceVector {
  Vector<place_vector_bytes<T>()> vector;
  T item[place_vector_bytes<T>() / sizeof(T)];
};

// Loads by vectors.
template <typename T>
__device__ __forceinline__ void load_vectors(const T* from, ThreadItems<T, false>& items) {
  constexpr int bytes = place_vector_bytes<T>(), vector_items = bytes / int(sizeof(T));
#pragma unroll
  for (int v = 0; v < thread_items / vector_items; ++v) {
    PlaceVector<T> loaded;
    loaded.vector = reinterpret_cast<const Vector<bytes>*>(from)[v];
#pragma unroll
    for (int i = 0; i < vector_items; ++i) items.item[v * vector_items + i] = loaded.item[i];
  }
}
template <typename T>
__device__ __forceinline__ void load_vectors(const T* from, ThreadItems<T, true>& items) {
  constexpr int bytes = place_vector_bytes<T>(), vector_words = bytes / 4;
#pragma unroll
  for (int v = 0; v < thread_bytes<T>() / bytes; ++v) {
    union {
      Vector<bytes> vector;
      u32 word[bytes / 4 > 0 ? bytes / 4 : 1];
    } loaded;
    loaded.vector = reinterpret_cast<const Vector<bytes>*>(from)[v];
#pragma unroll
    for (int w = 0; w < vector_words; ++w) items.word[v * vector_words + w] = loaded.word[w];
  }
}

// Loads items that do not lie as vectors do.
template <typename T>
__device__ __forceinline__ void load_unaligned(const T* from, ThreadItems<T, false>& items) {
#pragma unroll
  for (int i = 0; i < thread_items; ++i) items.item[i] = from[i];
}

// Narrow items by words, of which the first may begin before the items, and which are shifted to where these begin.
template <typename T>
__device__ __forceinline__ void load_unaligned(const T* from, ThreadItems<T, true>& items) {
  constexpr int bytes = thread_bytes<T>(), words = (bytes + 3) / 4;
  const int past = int(reinterpret_cast<u64>(from) % 4), last = (past + bytes - 1) / 4;
  const u32* const word = reinterpret_cast<const u32*>(reinterpret_cast<const unsigned char*>(from) - past);
  u32 low = word[0];
#pragma unroll
  for (int w = 0; w < words; ++w) {
    const u32 high = word[w + 1 < words || w + 1 <= last ? w + 1 : last];
    items.word[w] = shift_right(low, high, u32(past) * 8);
    low = high;
  }
}

// Loads this thread's items from shared memory: by vectors where they lie so, narrow items otherwise by words.
template <typename T>
__device__ __forceinline__ void load_places(const T* from, ThreadItems<T>& items) {
  constexpr int bytes = place_vector_bytes<T>();
  if (bytes >= 4 && is_aligned<bytes>(from)) {
    load_vectors(from, items);
  } else {
    load_unaligned(from, items);
  }
}
