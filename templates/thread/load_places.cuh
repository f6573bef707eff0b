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

template <typename T>
union PlaceVector {
  Vector<place_vector_bytes<T>()> vector;
  T item[place_vector_bytes<T>() / sizeof(T)];
};

// Words of which the first may begin before a thread's items.
template <typename T>
union PlaceWords {
  u32 word[(thread_bytes<T>() + 3) / 4];
  T item[(thread_bytes<T>() + 3) / 4 * 4 / sizeof(T)];
};

// Narrow items by words, which are shifted to where the items begin.
template <typename T>
__device__ __forceinline__ void load_words(const T* from, T (&items)[thread_items]) {
  constexpr int bytes = thread_bytes<T>(), words = (bytes + 3) / 4;
  const int past = int(reinterpret_cast<u64>(from) % 4), last = (past + bytes - 1) / 4;
  const u32* const word = reinterpret_cast<const u32*>(reinterpret_cast<const unsigned char*>(from) - past);
  PlaceWords<T> loaded;
  u32 low = word[0];
#pragma unroll
  for (int w = 0; w < words; ++w) {
    const u32 high = word[w + 1 < words || w + 1 <= last ? w + 1 : last];
    loaded.word[w] = shift_right(low, high, u32(past) * 8);
    low = high;
  }
#pragma unroll
  for (int i = 0; i < thread_items; ++i) items[i] = loaded.item[i];
}

// Loads this thread's items from shared memory: by vectors where they lie so, narrow items otherwise by words.
template <typename T>
__device__ __forceinline__ void load_places(const T* from, T (&items)[thread_items]) {
  constexpr int bytes = place_vector_bytes<T>(), vector_items = bytes / int(sizeof(T));
  if (bytes >= 4 && is_aligned<bytes>(from)) {
#pragma unroll
    for (int v = 0; v < thread_items / vector_items; ++v) {
      PlaceVector<T> loaded;
      loaded.vector = reinterpret_cast<const Vector<bytes>*>(from)[v];
#pragma unroll
      for (int i = 0; i < vector_items; ++i) items[v * vector_items + i] = loaded.item[i];
    }
  } else if (sizeof(T) < 4) {
    load_words(from, items);
  } else {
#pragma unroll
    for (int i = 0; i < thread_items; ++i) items[i] = from[i];
  }
}
