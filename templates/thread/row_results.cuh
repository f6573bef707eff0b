// The results of a thread's items of a stretch of a row, vector by vector where the output allows it.
#pragma once

#include "parameters.cuh"
#include "thread/row_vectors.cuh"

constexpr int result_bytes = vector_items * sizeof(Output);

// Of 4, 8 or 16 bytes.
constexpr bool stores_vectors = 16 % sizeof(Output) == 0 && alignof(Output) == sizeof(Output) && result_bytes >= 4;

constexpr int result_chunk_bytes = !stores_vectors ? 4 : result_bytes < 16 ? result_bytes : 16;

constexpr int result_chunk_items = stores_vectors ? result_chunk_bytes / int(sizeof(Output)) : 1;

struct RowResults {
  Output item[thread_items];
};

union ResultChunk {
  Vector<result_chunk_bytes> vector;
  Output item[result_chunk_items];
};

// Stores the results at the places of a thread's items. `to`: where that of the stretch's place 0 would go.
__device__ __forceinline__ void store_row(const RowResults& results, const Stretch& stretch, int lane, Output* to) {
#pragma unroll
  for (int c = 0; c < thread_items / result_chunk_items; ++c) {
    const int place = lane * thread_items + c * result_chunk_items, end = place + result_chunk_items;
    if (place >= stretch.valid) continue;
    const bool is_whole = place >= stretch.begin && end <= stretch.valid;
    if (stores_vectors && is_whole && reinterpret_cast<u64>(to + place) % result_chunk_bytes == 0) {
      ResultChunk chunk;
#pragma unroll
      for (int i = 0; i < result_chunk_items; ++i) chunk.item[i] = results.item[c * result_chunk_items + i];
      store_whole(reinterpret_cast<Vector<result_chunk_bytes>*>(to + place), chunk.vector);
      continue;
    }
#pragma unroll
    for (int i = 0; i < result_chunk_items; ++i) {
      if (place + i >= stretch.begin && place + i < stretch.valid)
        to[place + i] = results.item[c * result_chunk_items + i];
    }
  }
}
